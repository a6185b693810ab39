import { cutText } from '../trees/clean-text.ts'
import { fenceCode, inlineCode, joinBlocks } from '../markdown/markdown-writing.ts'
import type { ApiObject, ApiOperation, OpenApiDocument } from './openapi-document.ts'
import { listOf, objectOf, resolveObject, textOf } from './openapi-document.ts'
import type { SchemaBudget } from './openapi-schema.ts'
import { cleanDescription, createSchemaBudget, describeType, writeSchema } from './openapi-schema.ts'

const exampleCharsMax = 8000

/** `POST /jobs/{id}`; `WEBHOOK name` for one. */
export function operationName(operation: Pick<ApiOperation, 'method' | 'path'>): string {
  return `${operation.method.toUpperCase()} ${operation.path}`
}

/** The title of an operation's page: its summary, else its name. */
export function operationTitle(operation: ApiOperation): string {
  return textOf(operation.value['summary']).trim() || operationName(operation)
}

/** Writes an operation as a page: address, authorisation, parameters, body, responses, with examples. Bounded in length. */
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
    writeResponses(document, objectOf(value['responses']), budget),
    writeSamples(value),
  ])
}

/** Writes a single schema, for a page that shows one. */
export function writeSchemaPage(document: OpenApiDocument, name: string): string | null {
  const schema = objectOf(objectOf(document.root['components'])['schemas'])[name]
  if (schema === undefined) return null
  const description = cleanDescription(textOf(resolveObject(document, schema)['description']))
  return joinBlocks([description, writeSchema(document, schema, createSchemaBudget())])
}

function writeServers(operation: ApiOperation): string {
  const { document, pathItem, value } = operation
  const servers = [value['servers'], pathItem['servers'], document.root['servers']].find(
    (list) => listOf(list).length > 0,
  )
  const urls = listOf(servers).flatMap((server) => textOf(objectOf(server)['url']) || [])
  return urls.length === 0 || operation.method === 'webhook'
    ? ''
    : `Base URL: ${urls.slice(0, 5).map(inlineCode).join(', ')}`
}

function writeSecurity({ document, value }: ApiOperation): string {
  const schemes = objectOf(objectOf(document.root['components'])['securitySchemes'])
  const names = new Set(
    listOf(value['security'] ?? document.root['security']).flatMap((entry) => Object.keys(objectOf(entry))),
  )
  const lines = [...names].slice(0, 10).map((name) => {
    const scheme = resolveObject(document, schemes[name])
    const place = [textOf(scheme['type']), textOf(scheme['scheme']), textOf(scheme['in'])].filter((part) => part !== '')
    const field = textOf(scheme['name'])
    const description = cleanDescription(textOf(scheme['description'])).replace(/\s+/g, ' ')
    return `- ${inlineCode(field || name)} (${place.join(', ') || 'required'})${description === '' ? '' : `: ${description}`}`
  })
  return lines.length === 0 ? '' : joinBlocks(['## Authorization', lines.join('\n')])
}

const parameterPlaces = [
  ['path', '## Path parameters'],
  ['query', '## Query parameters'],
  ['header', '## Headers'],
  ['cookie', '## Cookies'],
] as const

function writeParameters({ document, pathItem, value }: ApiOperation, budget: SchemaBudget): string[] {
  // A parameter of the operation replaces one of the path with the same name and place.
  const parameters = new Map<string, ApiObject>()
  for (const entry of [...listOf(pathItem['parameters']), ...listOf(value['parameters'])]) {
    const parameter = resolveObject(document, entry)
    parameters.set(`${textOf(parameter['in'])} ${textOf(parameter['name'])}`, parameter)
  }
  return parameterPlaces.map(([place, heading]) => {
    const own = [...parameters.values()].filter((parameter) => parameter['in'] === place)
    const properties = Object.fromEntries(
      own.map((parameter) => [textOf(parameter['name']), parameterSchema(document, parameter)]),
    )
    const required = own.filter((parameter) => parameter['required'] === true).map((parameter) => parameter['name'])
    return own.length === 0 ? '' : joinBlocks([heading, writeSchema(document, { properties, required }, budget)])
  })
}

/** The schema of a parameter with its own words, which say more than the type's. */
function parameterSchema(document: OpenApiDocument, parameter: ApiObject): ApiObject {
  const [content] = Object.values(objectOf(parameter['content']))
  const schema = resolveObject(document, parameter['schema'] ?? objectOf(content)['schema'])
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
  const blocks = Object.entries(objectOf(holder['content']))
    .slice(0, 10)
    .flatMap(([type, value]) => {
      const media = objectOf(value)
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
  const named = Object.entries(objectOf(media['examples']))
    .slice(0, 5)
    .map(([name, example]) => {
      return [name, resolveObject(document, example)['value']] as const
    })
  const schemaExample = resolveObject(document, media['schema'])['example']
  const examples = named.length > 0 ? named : [['Example', media['example'] ?? schemaExample] as const]
  return examples.flatMap(([name, value]) => (value === undefined ? [] : [fenceExample(name, value)]))
}

function fenceExample(name: string, value: unknown): string {
  if (typeof value === 'string') return fenceCode(cutText(value, exampleCharsMax), `text ${name}`)
  return fenceCode(cutText(JSON.stringify(value, null, 2) ?? '', exampleCharsMax), `json ${name}`)
}

function writeResponses(document: OpenApiDocument, responses: ApiObject, budget: SchemaBudget): string {
  const blocks = Object.entries(responses)
    .slice(0, 40)
    .map(([status, value]) => {
      const response = resolveObject(document, value)
      const description = cleanDescription(textOf(response['description'])).replace(/\s+/g, ' ')
      return joinBlocks([
        `### ${status}`,
        description,
        writeResponseHeaders(document, objectOf(response['headers']), budget),
        writeContents(document, response, budget),
      ])
    })
  return blocks.length === 0 ? '' : joinBlocks(['## Responses', ...blocks])
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
      const sample = objectOf(entry)
      const source = textOf(sample['source'])
      return source === ''
        ? ''
        : fenceCode(cutText(source, exampleCharsMax), `${textOf(sample['lang'])} ${textOf(sample['label'])}`)
    })
  return samples.some((sample) => sample !== '') ? joinBlocks(['## Code samples', ...samples]) : ''
}
