import { cutText } from '../trees/clean-text.ts'
import { fenceCode, inlineCode, joinBlocks } from '../markdown/markdown-writing.ts'
import {
  type ApiObject,
  type ApiOperation,
  type OpenApiDocument,
  listOf,
  listParameters,
  listSecuritySchemes,
  listServerUrls,
  toObject,
  operationTag,
  resolveObject,
  textOf,
} from './openapi-document.ts'
import { exampleCharsMax, listExamples, writeExampleRequest } from './openapi-example.ts'
import {
  type SchemaBudget,
  cleanDescription,
  createSchemaBudget,
  describeType,
  enumValuesMax,
  writeSchema,
} from './openapi-schema.ts'
import { pagePathOf } from '../trees/source-path.ts'

const sharedEnumValuesMax = 10

/** `POST /jobs/{id}`, or `WEBHOOK name`. */
export function operationName(operation: Pick<ApiOperation, 'method' | 'path'>): string {
  return `${operation.method.toUpperCase()} ${operation.path}`
}

/** The operation's summary, else its name. */
export function operationTitle(operation: ApiOperation): string {
  return textOf(operation.value['summary']).trim() || operationName(operation)
}

/** `<directory>/<tag>/<summary>`, the address of a generated page. */
export function operationPath(operation: ApiOperation, directory: string): string {
  const tag = slugOf(operationTag(operation))
  const name = slugOf(textOf(operation.value['summary'])) || slugOf(operationName(operation))
  return pagePathOf([directory, tag, name].filter((part) => part !== '').join('/'))
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/['’"]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

/**
 * Writes an operation's page: base URLs, authorization, parameters, body, responses and examples. Bounded in length.
 */
export function writeOperation(operation: ApiOperation): string {
  const { document, value } = operation
  const budget = createSchemaBudget()
  return joinBlocks([
    `## ${inlineCode(operationName(operation))}`,
    value['deprecated'] === true ? '**Deprecated**' : '',
    cleanDescription(textOf(value['description'])),
    writeServers(operation),
    writeSecurity(operation),
    ...writeParameters(operation, budget),
    writeBody(document, value['requestBody'], budget),
    writeResponses(document, toObject(value['responses']), budget),
    writeSamples(value) || writeExampleRequest(operation),
  ])
}

/** Writes the page of a single schema; null if it does not exist. */
export function writeSchemaPage(document: OpenApiDocument, name: string): string | null {
  const schema = toObject(toObject(document.root['components'])['schemas'])[name]
  if (schema === undefined) return null
  const description = cleanDescription(textOf(resolveObject(document, schema)['description']))
  return joinBlocks([description, writeSchema(document, schema, createSchemaBudget())])
}

function writeServers(operation: ApiOperation): string {
  const urls = listServerUrls(operation)
  return urls.length === 0 ? '' : `Base URL: ${urls.slice(0, 5).map(inlineCode).join(', ')}`
}

function writeSecurity(operation: ApiOperation): string {
  const { document, method } = operation
  const lines = listSecuritySchemes(operation).map(({ name, scheme }) => {
    const place = [textOf(scheme['type']), textOf(scheme['scheme']), textOf(scheme['in'])].filter((part) => part !== '')
    const field = textOf(scheme['name'])
    const description = cleanDescription(textOf(scheme['description'])).replace(/\s+/g, ' ')
    return `- ${inlineCode(field || name)} (${place.join(', ') || 'required'})${description === '' ? '' : `: ${description}`}`
  })
  const isUsedElsewhere = toObject(document.root['components'])['securitySchemes'] !== undefined
  const text = lines.join('\n') || (isUsedElsewhere && method !== 'webhook' ? 'None.' : '')
  return text === '' ? '' : joinBlocks(['## Authorization', text])
}

const parameterPlaces = [
  ['path', '## Path parameters'],
  ['query', '## Query parameters'],
  ['header', '## Headers'],
  ['cookie', '## Cookies'],
] as const

function writeParameters(operation: ApiOperation, budget: SchemaBudget): string[] {
  const { document } = operation
  const parameters = listParameters(operation)
  return parameterPlaces.map(([place, heading]) => {
    const own = parameters.filter((parameter) => parameter['in'] === place)
    const properties = Object.fromEntries(
      own.map((parameter) => [textOf(parameter['name']), parameterSchema(document, parameter)]),
    )
    const required = own.filter((parameter) => parameter['required'] === true).map((parameter) => parameter['name'])
    return own.length === 0 ? '' : joinBlocks([heading, writeSchema(document, { properties, required }, budget)])
  })
}

/** Merges a parameter into its schema; its description is more specific than that of the type. */
function parameterSchema(document: OpenApiDocument, parameter: ApiObject): ApiObject {
  const [content] = Object.values(toObject(parameter['content']))
  const schema = resolveObject(document, parameter['schema'] ?? toObject(content)['schema'])
  const { description, deprecated } = parameter
  return {
    ...schema,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === true ? { deprecated } : {}),
  }
}

function writeBody(document: OpenApiDocument, value: unknown, budget: SchemaBudget): string {
  const body = resolveObject(document, value)
  const contents = writeContents(document, body, budget)
  if (contents === '') return ''
  const description = cleanDescription(textOf(body['description']))
  return joinBlocks([`## Body${body['required'] === true ? ' (required)' : ''}`, description, contents])
}

function writeContents(document: OpenApiDocument, holder: ApiObject, budget: SchemaBudget): string {
  const blocks = Object.entries(toObject(holder['content']))
    .slice(0, 10)
    .flatMap(([type, value]) => {
      const media = toObject(value)
      const kind = media['schema'] === undefined ? '' : `: ${describeType(document, media['schema'])}`
      return [
        `${inlineCode(type)}${kind}`,
        writeSchema(document, media['schema'], budget),
        ...writeExamples(document, media),
      ]
    })
  return joinBlocks(blocks)
}

function writeExamples(document: OpenApiDocument, media: ApiObject): string[] {
  return listExamples(document, media).map(([name, value]) => fenceExample(name, value))
}

function fenceExample(name: string, value: unknown): string {
  if (typeof value === 'string') return fenceCode(cutText(value, exampleCharsMax), `text ${name}`)
  return fenceCode(cutText(JSON.stringify(value, null, 2) ?? '', exampleCharsMax), `json ${name}`)
}

/** Responses that only differ in their descriptions, as errors often do, share a section. */
function writeResponses(document: OpenApiDocument, responses: ApiObject, budget: SchemaBudget): string {
  const listed = Object.entries(responses)
    .slice(0, 40)
    .map(([status, value]) => ({ status, response: resolveObject(document, value) }))
  const groups = Map.groupBy(listed, ({ status, response: { headers, content } }) =>
    content === undefined ? status : JSON.stringify([headers, content]),
  )
  const blocks = [...groups.values()].map((group) => {
    const [{ response }] = group as [(typeof listed)[number]] // Groups are never empty.
    // Bodies shared by responses, such as errors, occur on most pages; searches would match their long lists
    // everywhere.
    budget.enumValuesMax = group.length === 1 ? enumValuesMax : sharedEnumValuesMax
    return joinBlocks([
      `**${group.map(({ status }) => status).join(', ')}**`,
      writeStatuses(group),
      writeResponseHeaders(document, toObject(response['headers']), budget),
      writeContents(document, response, budget),
    ])
  })
  return blocks.length === 0 ? '' : joinBlocks(['## Responses', ...blocks])
}

function writeStatuses(group: readonly { status: string; response: ApiObject }[]): string {
  const described = group.map(({ status, response }) => {
    const description = cleanDescription(textOf(response['description'])).replace(/\s+/g, ' ')
    return group.length === 1 ? description : `- ${inlineCode(status)}: ${description}`
  })
  return described.join('\n')
}

function writeResponseHeaders(document: OpenApiDocument, headers: ApiObject, budget: SchemaBudget): string {
  const properties = Object.entries(headers).map(([name, value]) => [
    name,
    parameterSchema(document, resolveObject(document, value)),
  ])
  if (properties.length === 0) return ''
  return `Headers:\n\n${writeSchema(document, { properties: Object.fromEntries(properties) }, budget)}`
}

function writeSamples(value: ApiObject): string {
  const samples = listOf(value['x-codeSamples'] ?? value['x-code-samples'])
    .slice(0, 10)
    .map((entry) => {
      const sample = toObject(entry)
      const source = textOf(sample['source'])
      return source === ''
        ? ''
        : fenceCode(cutText(source, exampleCharsMax), `${textOf(sample['lang'])} ${textOf(sample['label'])}`)
    })
  return samples.some((sample) => sample !== '') ? joinBlocks(['## Code samples', ...samples]) : ''
}
