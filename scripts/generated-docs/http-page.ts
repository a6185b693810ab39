import type { ApiDocument, ApiOperation } from './api-document.ts'
import { type ApiSchema, type ApiSchemas, describeValue, listFields } from './describe-schema.ts'
import { escapeMdx, writePage, writeTable } from './mdx-text.ts'

interface Operation extends ApiOperation {
  method: string
  path: string
}

/** One section for each operation, under a heading for each resource. */
export function writeHttpPage(document: ApiDocument): string {
  const operations = listOperations(document)
  const sections = document.tags.flatMap(({ name, description }) => [
    `## ${name}`,
    escapeMdx(description),
    ...operations
      .filter(({ tags }) => tags?.includes(name) === true)
      .flatMap((operation) => writeOperation(operation, document.components.schemas)),
  ])
  return writePage({
    title: 'HTTP API reference',
    description: 'Every path and method of the HTTP API, with its parameters, body fields and replies.',
    source: 'the routes in src/server/routes',
    blocks: [introduction, writeOverview(operations), ...sections],
  })
}

const introduction = `The HTTP API takes JSON and answers with JSON in UTF-8, answer streams and site pages aside.
A running server describes its own API as an OpenAPI 3.1 document at \`/openapi.json\`.
Every error has the body that the [error reference](/reference/errors) describes.
A key is sent in the header \`Authorization: Bearer KEY\`.
A \`GET\` or \`HEAD\` request to \`/admin/v1\` needs the scope \`read\`, every other method needs the scope \`write\`.

## All paths`

function listOperations({ paths }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
}

function writeOverview(operations: readonly Operation[]): string {
  const rows = operations.map((operation) => [
    operation.method,
    `\`${operation.path}\``,
    nameKey(operation),
    escapeMdx(operation.summary ?? ''),
  ])
  return writeTable(['Method', 'Path', 'Key', 'Purpose'], rows)
}

function nameKey({ security }: Operation): string {
  const [scheme] = (security ?? []).flatMap((entry) => Object.keys(entry))
  return scheme === undefined ? 'none' : scheme === 'adminKey' ? 'admin' : 'assistant'
}

function writeOperation(operation: Operation, schemas: ApiSchemas): string[] {
  const { method, path, summary = '', description } = operation
  const notes = [
    description === undefined ? '' : escapeMdx(description),
    describeKey(operation),
    operation.deprecated === true ? 'This operation is deprecated.' : '',
  ]
  return [
    `### ${summary}`,
    `\`\`\`http\n${method} ${path}\n\`\`\``,
    notes.filter((note) => note !== '').join('\n'),
    ...writeParameters(operation, schemas),
    ...writeBody(operation, schemas),
    ...writeResponses(operation, schemas),
  ]
}

function describeKey(operation: Operation): string {
  const kind = nameKey(operation)
  if (kind === 'none') return 'It needs no key.'
  if (kind === 'assistant') return 'It needs an assistant key of the site.'
  return `It needs an admin key with the scope \`${operation.method === 'GET' ? 'read' : 'write'}\`.`
}

function writeParameters({ parameters = [] }: Operation, schemas: ApiSchemas): string[] {
  if (parameters.length === 0) return []
  const rows = parameters.map((parameter) => {
    const { type, description } = describeValue(parameter.schema, schemas)
    return [
      `\`${parameter.name}\``,
      parameter.in,
      type,
      parameter.required === true ? 'yes' : 'no',
      escapeMdx(description),
    ]
  })
  return ['**Parameters**', writeTable(['Name', 'In', 'Type', 'Required', 'Meaning'], rows)]
}

function writeBody({ requestBody }: Operation, schemas: ApiSchemas): string[] {
  const schema = requestBody?.content['application/json']?.schema
  if (schema === undefined) return []
  const rows = listFields(schema, schemas).map(({ name, type, isRequired, description }) => [
    `\`${name}\``,
    type,
    isRequired ? 'yes' : 'no',
    escapeMdx(description),
  ])
  return ['**Body fields**', writeTable(['Field', 'Type', 'Required', 'Meaning'], rows)]
}

/** Errors are told in one line, because what each status means is the same for all and stands in the error reference. */
function writeResponses({ responses }: Operation, schemas: ApiSchemas): string[] {
  const [errors, successes] = partition(Object.entries(responses), ([status]) => Number(status) >= 400)
  const lines = successes.map(([status, { description }]) => `Success: \`${status}\`. ${escapeMdx(description)}`)
  const statuses = errors.map(([status]) => `\`${status}\``).join(', ')
  if (statuses !== '') lines.push(`Errors: ${statuses}.`)
  const schema = successes[0]?.[1].content?.['application/json']?.schema
  return [lines.join('\n'), ...(schema === undefined ? [] : writeReply(schema, schemas))]
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter((item) => isFirst(item)), items.filter((item) => !isFirst(item))]
}

function writeReply(schema: ApiSchema, schemas: ApiSchemas): string[] {
  const rows = listFields(schema, schemas).map(({ name, type, description }) => [
    `\`${name}\``,
    type,
    escapeMdx(description),
  ])
  return ['**Fields of the reply**', writeTable(['Field', 'Type', 'Meaning'], rows)]
}
