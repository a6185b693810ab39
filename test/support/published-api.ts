import { readFile } from 'node:fs/promises'
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { RestForgeKind } from './forge-kinds.ts'

/** See `test/fixtures/forge-api/README.md`. */
interface Operation {
  id: string
  method: string
  /** With names in braces. */
  path: string
  pathTypes?: Record<string, object>
  query: Record<string, object>
  body?: Record<string, unknown>
}

/** Operations that a forge publishes, to hold requests against. */
export interface PublishedApi {
  /**
   * What is wrong with a request, in sentences: a path that is not published, a parameter or field that is unknown, of the
   * wrong type or missing.
   *
   * @param request.path Below the host, encoded.
   */
  check(request: { method: string; path: string; query: URLSearchParams; body: unknown }): string[]
}

interface LocatedOperation {
  operation: Operation
  path: RegExp
  /** Of the parameters of the path, in order. */
  names: string[]
}

interface OperationValidators {
  validatePath: ValidateFunction
  validateQuery: ValidateFunction
  validateBody: ValidateFunction | null
}

/** Parameters in addresses are texts, parsed as the values that they represent. */
const readsTexts = new Ajv({ coerceTypes: true, allErrors: true })
const readsJson = new Ajv({ allErrors: true, allowUnionTypes: true })
formats.default(readsJson)

/** Compiling takes long, so that it is done once for all servers of a process, and for what is asked for alone. */
const opened = new Map<string, Promise<PublishedApi>>()
const compiled = new WeakMap<Operation, OperationValidators>()

/** @param prefix The path under which the forge lies on its host. */
export function openPublishedApi(name: RestForgeKind, prefix = ''): Promise<PublishedApi> {
  const known = opened.get(`${name} ${prefix}`) ?? readPublishedApi(name, prefix)
  opened.set(`${name} ${prefix}`, known)
  return known
}

async function readPublishedApi(name: string, prefix: string): Promise<PublishedApi> {
  const file = new URL(`../fixtures/forge-api/${name}.json`, import.meta.url)
  const { basePath, operations } = JSON.parse(await readFile(file, 'utf8')) as {
    basePath: string
    operations: Operation[]
  }
  const located = operations.map((operation) => locate(operation, prefix + basePath))
  return {
    check(request) {
      const found = located.find(({ operation, path }) => {
        return operation.method === request.method && path.test(request.path)
      })
      if (found === undefined) return [`${request.method} ${request.path} is not published.`]
      return checkRequest(found, request)
    },
  }
}

function locate(operation: Operation, basePath: string): LocatedOperation {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  const path = basePath + operation.path.replaceAll(/\{\w+\}/g, '([^/]+)')
  return { operation, names, path: new RegExp(`^${path}$`) }
}

function compile({ operation, names }: LocatedOperation): OperationValidators {
  const known = compiled.get(operation)
  if (known !== undefined) return known
  const types = Object.fromEntries(names.map((name) => [name, operation.pathTypes?.[name] ?? { type: 'string' }]))
  const closed = (properties: object) => ({ type: 'object', properties, additionalProperties: false })
  const validators = {
    validatePath: readsTexts.compile(closed(types)),
    validateQuery: readsTexts.compile(closed(operation.query)),
    validateBody: operation.body === undefined ? null : readsJson.compile(closeObjects(operation.body)),
  }
  compiled.set(operation, validators)
  return validators
}

/** Fields that are not published are ignored by forges, which hides misspelt ones. */
function closeObjects(schema: Record<string, unknown>): Record<string, unknown> {
  const { properties, items } = schema as { properties?: Record<string, object>; items?: object }
  const close = (part: object) => closeObjects(part as Record<string, unknown>)
  return {
    ...schema,
    ...(items === undefined ? {} : { items: close(items) }),
    ...(properties === undefined
      ? {}
      : {
          additionalProperties: false,
          properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, close(part)])),
        }),
  }
}

function checkRequest(
  located: LocatedOperation,
  request: { path: string; query: URLSearchParams; body: unknown },
): string[] {
  const { operation, path, names } = located
  const { validatePath, validateQuery, validateBody } = compile(located)
  const parts = (path.exec(request.path) ?? []).slice(1).map(decodeURIComponent)
  const inPath = Object.fromEntries(names.map((name, position) => [name, parts[position]]))
  return [
    ...describe('the path', validatePath, inPath),
    ...describe('the query', validateQuery, Object.fromEntries(request.query)),
    ...(validateBody === null
      ? request.body === null
        ? []
        : ['A body was sent that nothing reads.']
      : describe('the body', validateBody, request.body)),
  ].map((fault) => `${operation.id}: ${fault}`)
}

function describe(where: string, validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${where}${instancePath} ${message} ${JSON.stringify(params)}`
  })
}
