import { parseDocument } from 'yaml'
import type { FindingList } from '../finding-list.ts'
import { parseJson } from '../site-config/parse-json.ts'
import { isRecord } from '../site-config/parse-tolerantly.ts'

/** Anything of an API description that has keys. */
export type ApiObject = Readonly<Record<string, unknown>>

/** An API description, parsed and otherwise as it was written. */
export interface OpenApiDocument {
  file: string
  root: ApiObject
}

/** One operation, or a webhook, whose `path` is then its name. */
export interface ApiOperation {
  document: OpenApiDocument
  /** Lower case; `webhook` for one. */
  method: string
  path: string
  /** What stands beside the operations of a path: shared parameters, servers. */
  pathItem: ApiObject
  value: ApiObject
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']
const operationsMax = 10_000
const referenceHopsMax = 32

/** @returns Null when the text is no OpenAPI 3 description; broken JSON or YAML is a finding as well. */
export function parseOpenApi(text: string, file: string, findings: FindingList): OpenApiDocument | null {
  const root = file.endsWith('.json') ? parseJson(text, file, findings) : parseYaml(text, file, findings)
  if (!isRecord(root) || typeof root['openapi'] !== 'string' || !root['openapi'].startsWith('3.')) return null
  return { file, root }
}

function parseYaml(text: string, file: string, findings: FindingList): unknown {
  try {
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' })
    const [error] = document.errors
    if (error === undefined) return document.toJS({ maxAliasCount: 200 })
    const line = text.slice(0, error.pos[0]).split('\n').length
    findings.add({ file, line, rule: 'config-unparsable', message: `The file is not valid YAML: ${error.message}` })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    findings.add({ file, line: null, rule: 'config-unparsable', message: `The file cannot be read: ${reason}` })
  }
  return undefined
}

/**
 * All operations and webhooks but those marked `x-excluded`: by first tag, in the order in which the document declares or
 * else first uses them, and within a tag in the order of the file.
 */
export function listOperations(document: OpenApiDocument): ApiOperation[] {
  const operations: ApiOperation[] = []
  for (const [path, item] of Object.entries(objectOf(document.root['paths']))) {
    const pathItem = resolveObject(document, item)
    for (const method of methods) addOperation(operations, { document, method, path, pathItem }, pathItem[method])
  }
  for (const [name, item] of Object.entries(objectOf(document.root['webhooks']))) {
    const pathItem = resolveObject(document, item)
    const method = methods.find((candidate) => pathItem[candidate] !== undefined)
    if (method !== undefined)
      addOperation(operations, { document, method: 'webhook', path: name, pathItem }, pathItem[method])
  }
  const byTag = new Map(
    listOf(document.root['tags']).map((tag) => [textOf(objectOf(tag)['name']), [] as ApiOperation[]]),
  )
  for (const operation of operations.slice(0, operationsMax)) {
    const tag = operationTag(operation)
    const tagged = byTag.get(tag)
    if (tagged === undefined) byTag.set(tag, [operation])
    else tagged.push(operation)
  }
  return [...byTag.values()].flat()
}

/** The first tag of an operation, which is the group of its page; empty without one. */
export function operationTag({ value }: ApiOperation): string {
  return textOf(listOf(value['tags'])[0])
}

function addOperation(operations: ApiOperation[], place: Omit<ApiOperation, 'value'>, value: unknown): void {
  if (isRecord(value) && value['x-excluded'] !== true) operations.push({ ...place, value })
}

/** Where the operation is served; none for a webhook. */
export function listServerUrls({ document, method, pathItem, value }: ApiOperation): string[] {
  if (method === 'webhook') return []
  const servers = [value['servers'], pathItem['servers'], document.root['servers']].find(
    (list) => listOf(list).length > 0,
  )
  return listOf(servers).flatMap((server) => textOf(objectOf(server)['url']) || [])
}

/** The schemes of which the operation takes one or more, by name. */
export function listSecuritySchemes({ document, value }: ApiOperation): { name: string; scheme: ApiObject }[] {
  const schemes = objectOf(objectOf(document.root['components'])['securitySchemes'])
  const entries = listOf(value['security'] ?? document.root['security'])
  const names = new Set(entries.flatMap((entry) => Object.keys(objectOf(entry))))
  return [...names].slice(0, 10).map((name) => ({ name, scheme: resolveObject(document, schemes[name]) }))
}

/** The operation's parameters. One of the operation replaces one of its path with the same name and place. */
export function listParameters({ document, pathItem, value }: ApiOperation): ApiObject[] {
  const parameters = new Map<string, ApiObject>()
  for (const entry of [...listOf(pathItem['parameters']), ...listOf(value['parameters'])]) {
    const parameter = resolveObject(document, entry)
    parameters.set(`${textOf(parameter['in'])} ${textOf(parameter['name'])}`, parameter)
  }
  return [...parameters.values()]
}

export function objectOf(value: unknown): ApiObject {
  return isRecord(value) ? value : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/**
 * Follows `$ref` inside the document. A reference elsewhere, or one that leads nowhere or in a circle, is an empty object:
 * nothing outside the file is ever read.
 */
export function resolveObject(document: OpenApiDocument, value: unknown): ApiObject {
  let current = value
  for (let hop = 0; hop < referenceHopsMax; hop++) {
    if (!isRecord(current)) return {}
    const reference = current['$ref']
    if (typeof reference !== 'string') return current
    current = readReference(document, reference)
  }
  return {}
}

function readReference(document: OpenApiDocument, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  let current: unknown = document.root
  for (const part of reference.slice(2).split('/')) {
    const key = decodePart(part)
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = (current as ApiObject)[key]
  }
  return current
}

function decodePart(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

/** The last part of a reference, which is the name of what it refers to. */
export function referenceName(value: unknown): string | null {
  const reference = objectOf(value)['$ref']
  return typeof reference === 'string' ? decodePart(reference.split('/').at(-1) ?? '') : null
}
