import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { githubOperations, type GithubRoute } from '../../src/codehost/github/github-operations.ts'

/** A request to GitHub's interface, read as GitHub's own description of it says. */
export interface GithubRequest {
  route: GithubRoute
  /** From the address and its query. */
  parameters: Readonly<Record<string, string>>
  body: Readonly<Record<string, unknown>>
  /** Where it differs from the description; none for a request that GitHub takes. */
  faults: readonly string[]
}

interface ParameterSchema {
  name: string
  in: string
  required?: boolean
  schema: object
}

/** The file is ours, written by `scripts/extract-github-schemas.ts`. */
const subset = JSON.parse(readFileSync(new URL('../fixtures/github/openapi-subset.json', import.meta.url), 'utf8')) as {
  operations: Record<
    GithubRoute,
    {
      parameters: (ParameterSchema | { $ref: string })[]
      requestBody?: { required: boolean; content: Record<string, { schema: { properties?: object } }> }
    }
  >
  components: { parameters: Record<string, ParameterSchema>; schemas: Record<string, object> }
}

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: { uri: true, 'date-time': true, 'repo.nwo': true, int64: true },
})
/** Addresses and queries are text. */
const coercing = new Ajv({ strict: false, coerceTypes: true, formats: { 'date-time': true, int64: true } })
const validators = new Map<object, ValidateFunction>()

const routes = (Object.keys(githubOperations) as GithubRoute[]).map((route) => {
  const [method = '', path = ''] = route.split(' ')
  const pattern = path.replaceAll(/[.]/g, '\\$&').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  return { route, method, pattern: new RegExp(`^${pattern}$`) }
})

/**
 * @param input.path Without the beginning of the interface, as it came.
 * @returns Null for an operation that is not described.
 */
export function readGithubRequest(input: {
  method: string
  path: string
  query: URLSearchParams
  body: string
}): GithubRequest | null {
  for (const { route, method, pattern } of routes) {
    const found = method === input.method ? pattern.exec(input.path) : null
    if (found === null) continue
    const inPath = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)] as const)
    const path = Object.fromEntries(inPath)
    const query = Object.fromEntries(input.query)
    // A body of GitHub's interface is an object or absent; what is none fails against the schema.
    const body = input.body === '' ? undefined : (JSON.parse(input.body) as Record<string, unknown>)
    const faults = [...checkParameters(route, path, 'path'), ...checkParameters(route, query, 'query')]
    faults.push(...checkBody(route, body))
    return { route, parameters: { ...query, ...path }, body: body ?? {}, faults }
  }
  return null
}

function checkParameters(
  route: GithubRoute,
  given: Readonly<Record<string, string>>,
  place: 'path' | 'query',
): string[] {
  const described = subset.operations[route].parameters
    .map((parameter) => ('$ref' in parameter ? readParameter(parameter.$ref) : parameter))
    .filter((parameter) => parameter.in === place)
  const names = new Set(described.map(({ name }) => name))
  const faults = Object.keys(given).flatMap((name) => (names.has(name) ? [] : [`${route}: no ${place} "${name}"`]))
  for (const { name, required = false, schema } of described) {
    const value = given[name]
    if (value === undefined) {
      if (required) faults.push(`${route}: the ${place} lacks "${name}"`)
      continue
    }
    const validate = compile(coercing, schema)
    if (!validate({ value })) faults.push(`${route}: the ${place} "${name}" ${ajv.errorsText(validate.errors)}`)
  }
  return faults
}

function readParameter(reference: string): ParameterSchema {
  const name = reference.split('/').at(-1) ?? ''
  const found = subset.components.parameters[name]
  if (found === undefined) throw new Error(`The description has no parameter ${name}.`)
  return found
}

function checkBody(route: GithubRoute, body: Readonly<Record<string, unknown>> | undefined): string[] {
  const described = subset.operations[route].requestBody
  if (body === undefined) return described?.required === true ? [`${route}: the body is missing`] : []
  const schema = described?.content['application/json']?.schema
  if (schema === undefined) return [`${route}: takes no body`]
  const known = new Set(Object.keys(schema.properties ?? {}))
  const unknown = known.size === 0 ? [] : Object.keys(body).filter((name) => !known.has(name))
  const faults = unknown.map((name) => `${route}: the body has an unknown "${name}"`)
  const validate = compile(ajv, schema)
  if (!validate({ value: body })) faults.push(`${route}: the body ${ajv.errorsText(validate.errors)}`)
  return faults
}

/** The value is wrapped, because a type is coerced only inside of something. */
function compile(compiler: Ajv, schema: object): ValidateFunction {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const { components } = subset
  const validate = compiler.compile({ type: 'object', properties: { value: schema }, components })
  validators.set(schema, validate)
  return validate
}
