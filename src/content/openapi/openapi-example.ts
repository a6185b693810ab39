import { cutText } from '../trees/clean-text.ts'
import { fenceCode } from '../markdown/markdown-writing.ts'
import {
  type ApiObject,
  type ApiOperation,
  type OpenApiDocument,
  listOf,
  listParameters,
  listSecuritySchemes,
  listServerUrls,
  toObject,
  resolveObject,
  textOf,
} from './openapi-document.ts'
import { mergeAllOf } from './openapi-schema.ts'

export const exampleCharsMax = 8000
const depthMax = 5
/** Schemas that refer to others can expand without end. */
const valuesMax = 200

/** Returns the named examples of a body, else its single one, else that of its schema. */
export function listExamples(document: OpenApiDocument, media: ApiObject): (readonly [name: string, value: unknown])[] {
  const named = Object.entries(toObject(media['examples']))
    .slice(0, 5)
    .map(([name, example]) => [name, resolveObject(document, example)['value']] as const)
  const own = media['example'] ?? resolveObject(document, media['schema'])['example']
  return (named.length > 0 ? named : [['Example', own] as const]).filter(([, value]) => value !== undefined)
}

/** Writes a curl command with the required parameters and a minimal body. Words in braces are placeholders. */
export function writeExampleRequest(operation: ApiOperation): string {
  const [server] = listServerUrls(operation)
  if (server === undefined) return ''
  const { method, path } = operation
  const required = listParameters(operation).filter((parameter) => parameter['required'] === true)
  const namesIn = (place: string) => required.flatMap(({ in: own, name }) => (own === place ? textOf(name) : []))
  const query = namesIn('query').map((name) => `${name}={${name}}`)
  const headers = [...writeCredentials(operation), ...namesIn('header').map((name) => `${name}: {${name}}`)]
  const body = readExampleBody(operation)
  const parts = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${quote(`${server.replace(/\/$/, '')}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`)}`,
    ...headers.map((header) => `-H ${quote(header)}`),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body))}`]),
  ]
  return `**Example request**\n\n${fenceCode(cutText(parts.join(' \\\n  '), exampleCharsMax), 'sh')}`
}

/** The header of the first scheme that uses one. */
function writeCredentials(operation: ApiOperation): string[] {
  for (const { scheme } of listSecuritySchemes(operation)) {
    const kind = textOf(scheme['scheme']).toLowerCase()
    if (kind === 'bearer' || kind === 'basic') return [`Authorization: ${kind === 'basic' ? 'Basic' : 'Bearer'} {key}`]
    if (scheme['in'] === 'header') return [`${textOf(scheme['name'])}: {key}`]
  }
  return []
}

function readExampleBody({ document, value }: ApiOperation): unknown {
  const contents = toObject(resolveObject(document, value['requestBody'])['content'])
  const media = contents['application/json']
  if (media === undefined) return undefined
  const [example] = listExamples(document, toObject(media))
  if (example !== undefined) return example[1]
  return makeExample({ document, budget: { valuesLeft: valuesMax } }, toObject(media)['schema'], 0)
}

interface ExampleWalk {
  document: OpenApiDocument
  budget: { valuesLeft: number }
}

/** Makes a minimal value for a schema: objects have only their required fields. */
function makeExample(walk: ExampleWalk, value: unknown, depth: number): unknown {
  if (depth > depthMax || walk.budget.valuesLeft-- <= 0) return null
  const { merged: schema } = mergeAllOf(walk.document, value)
  const given = [schema['example'], schema['const'], listOf(schema['enum'])[0]].find((known) => known !== undefined)
  if (given !== undefined) return given
  const make = (inner: unknown) => makeExample(walk, inner, depth + 1)
  const { properties, items, minimum = 1 } = schema
  const [variant] = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])]
  if (variant !== undefined && properties === undefined) return make(variant)
  const [type] = [schema['type'] ?? (properties === undefined ? 'string' : 'object')].flat()
  if (type === 'object') {
    const required = new Set(listOf(schema['required']).map(textOf))
    return Object.fromEntries([...required].slice(0, valuesMax).map((name) => [name, make(toObject(properties)[name])]))
  }
  if (type === 'array') return items === undefined ? [] : [make(items)]
  if (type === 'integer' || type === 'number') return minimum
  return type === 'boolean' ? true : '…'
}

/** Quotes literally for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
