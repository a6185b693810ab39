import { endpointKey } from './fact.ts'
import type { FactCollector } from './fact-collector.ts'

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options']
const depthMax = 4
const refsMax = 8

/** Adds the operations of an OpenAPI document, and the fields of each: parameters and the bodies it takes and returns. */
export function readOpenApiFacts(document: object, into: FactCollector): void {
  const base = readBasePath(document)
  for (const [own, item] of entriesOf(read(document, 'paths'))) {
    // Pages name an operation with or without the path of its server.
    for (const path of base === '' ? [own] : [own, base + own]) addOperations(document, path, item, into)
  }
}

/** Path of the first server, or that of OpenAPI 2; empty without one. */
function readBasePath(document: object): string {
  const [first] = entriesOf(read(document, 'servers'))
  const url = read(first?.[1], 'url') ?? read(document, 'basePath')
  // A variable may stand for the host: `{host}/v1`.
  return typeof url === 'string' ? endpointKey(url.replace(/^\{[^}]*\}/, '')) : ''
}

function addOperations(document: object, path: string, item: unknown, into: FactCollector): void {
  for (const method of methods) {
    const operation = read(item, method)
    if (operation === null) continue
    const key = endpointKey(path)
    const owner = `${method.toUpperCase()} ${key}`
    into.add('endpoint', path, 1, { key })
    into.add('endpoint', `${method.toUpperCase()} ${path}`, 1, { key: owner })
    const id = read(operation, 'operationId')
    if (typeof id === 'string') into.add('member', id, 1)
    addParameters(document, [read(item, 'parameters'), read(operation, 'parameters')], owner, into)
    for (const part of [
      read(operation, 'requestBody'),
      ...entriesOf(read(operation, 'responses')).map(([, reply]) => reply),
    ]) {
      for (const [, media] of entriesOf(read(resolve(document, part), 'content'))) {
        addFields(document, read(media, 'schema'), owner, into)
      }
    }
  }
}

function addParameters(document: object, lists: readonly unknown[], owner: string, into: FactCollector): void {
  for (const [, each] of lists.flatMap(entriesOf)) {
    const parameter = resolve(document, each)
    const name = read(parameter, 'name')
    if (typeof name !== 'string') continue
    into.add('field', name, 1, { owner })
    addDefault(name, read(parameter, 'schema'), into)
  }
}

/** Level by level, and each schema once, because schemas refer to each other in circles. */
function addFields(document: object, root: unknown, owner: string, into: FactCollector): void {
  const known = new Set<unknown>()
  let level = [root]
  for (let depth = 0; depth <= depthMax; depth++) {
    const below: unknown[] = []
    for (const given of level) {
      const schema = resolve(document, given)
      if (typeof schema !== 'object' || known.has(schema)) continue
      known.add(schema)
      for (const [, choice] of entriesOf(read(schema, 'enum'))) {
        if (typeof choice === 'string' && /^[A-Za-z][\w.-]*$/.test(choice)) into.add('member', choice, 1)
      }
      for (const [name, property] of entriesOf(read(schema, 'properties'))) {
        into.add('field', name, 1, { owner })
        into.add('member', name, 1)
        addDefault(name, resolve(document, property), into)
        below.push(property)
      }
      below.push(read(schema, 'items'))
      for (const group of ['allOf', 'oneOf', 'anyOf']) {
        for (const [, part] of entriesOf(read(schema, group))) below.push(part)
      }
    }
    level = below
  }
}

function addDefault(name: string, schema: unknown, into: FactCollector): void {
  const value = read(schema, 'default')
  if (value !== null && typeof value !== 'object') into.addDefault(name, JSON.stringify(value), 1)
}

/** Follows local references. */
function resolve(document: object, value: unknown): unknown {
  let found = value
  for (let hops = 0; hops < refsMax; hops++) {
    const reference = read(found, '$ref')
    if (typeof reference !== 'string') break
    found = reference
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>((at, name) => read(at, name.replaceAll('~1', '/').replaceAll('~0', '~')), document)
  }
  return found
}

function read(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
  return (value as Record<string, unknown>)[name] // The property exists.
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
