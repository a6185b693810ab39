import { addToList } from '../../base/add-to-list.ts'
import { parseDocument } from 'yaml'
import { toYamlValue } from '../../base/yaml-value.ts'
import type { FindingList } from '../finding-list.ts'
import { parseJson } from '../site-config/parse-json.ts'
import { isRecord } from '../site-config/parse-tolerantly.ts'

/** Any object in an API description. */
export type ApiObject = Readonly<Record<string, unknown>>

/** A parsed API description, otherwise unchanged. */
export interface OpenApiDocument {
  file: string
  root: ApiObject
}

/** An operation, or a webhook, whose `path` is its name. */
export interface ApiOperation {
  document: OpenApiDocument
  /** Lower case; `webhook` for webhooks. */
  method: string
  path: string
  /** Shared by the operations of a path: parameters, servers. */
  pathItem: ApiObject
  value: ApiObject
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']
const operationsMax = 10_000
const referenceHopsMax = 32

/** @returns Null if the text is not an OpenAPI 3 description; invalid JSON or YAML is also reported as a finding. */
export function parseOpenApi(text: string, file: string, findings: FindingList): OpenApiDocument | null {
  const root = file.endsWith('.json') ? parseJson(text, file, findings) : parseYaml(text, file, findings)
  if (!isRecord(root) || typeof root['openapi'] !== 'string' || !root['openapi'].startsWith('3.')) return null
  return { file, root }
}

function parseYaml(text: string, file: string, findings: FindingList): unknown {
  try {
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' })
    const [error] = document.errors
    if (error === undefined) return toYamlValue(document, 200)
    const line = text.slice(0, error.pos[0]).split('\n').length
    findings.add({ file, line, rule: 'config-unparsable', message: `The file is not valid YAML: ${error.message}` })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    findings.add({ file, line: null, rule: 'config-unparsable', message: `The file cannot be read: ${reason}` })
  }
  return undefined
}

/**
 * Lists all operations and webhooks not marked `x-excluded`: by first tag, in the order the document declares or first
 * uses them, and within a tag in file order.
 */
export function listOperations(document: OpenApiDocument): ApiOperation[] {
  const operations: ApiOperation[] = []
  for (const [path, item] of Object.entries(toObject(document.root['paths']))) {
    const pathItem = resolveObject(document, item)
    for (const method of methods) addOperation(operations, { document, method, path, pathItem }, pathItem[method])
  }
  for (const [name, item] of Object.entries(toObject(document.root['webhooks']))) {
    const pathItem = resolveObject(document, item)
    const method = methods.find((candidate) => pathItem[candidate] !== undefined)
    if (method !== undefined)
      addOperation(operations, { document, method: 'webhook', path: name, pathItem }, pathItem[method])
  }
  const byTag = new Map(
    listOf(document.root['tags']).map((tag) => [textOf(toObject(tag)['name']), [] as ApiOperation[]]),
  )
  for (const operation of operations.slice(0, operationsMax)) addToList(byTag, operationTag(operation), operation)
  return [...byTag.values()].flat()
}

/** The operation's first tag, which groups its page; empty without one. */
export function operationTag({ value }: ApiOperation): string {
  return textOf(listOf(value['tags'])[0])
}

function addOperation(operations: ApiOperation[], place: Omit<ApiOperation, 'value'>, value: unknown): void {
  if (isRecord(value) && value['x-excluded'] !== true) operations.push({ ...place, value })
}

/** Base URLs of the operation; empty for a webhook. */
export function listServerUrls({ document, method, pathItem, value }: ApiOperation): string[] {
  if (method === 'webhook') return []
  const servers = [value['servers'], pathItem['servers'], document.root['servers']].find(
    (list) => listOf(list).length > 0,
  )
  return listOf(servers).flatMap((server) => textOf(toObject(server)['url']) || [])
}

/** The security schemes that the operation accepts, with their names. */
export function listSecuritySchemes({ document, value }: ApiOperation): { name: string; scheme: ApiObject }[] {
  const schemes = toObject(toObject(document.root['components'])['securitySchemes'])
  const entries = listOf(value['security'] ?? document.root['security'])
  const names = new Set(entries.flatMap((entry) => Object.keys(toObject(entry))))
  return [...names].slice(0, 10).map((name) => ({ name, scheme: resolveObject(document, schemes[name]) }))
}

/** Parameters of the operation override those of its path with the same name and place. */
export function listParameters({ document, pathItem, value }: ApiOperation): ApiObject[] {
  const parameters = new Map<string, ApiObject>()
  for (const entry of [...listOf(pathItem['parameters']), ...listOf(value['parameters'])]) {
    const parameter = resolveObject(document, entry)
    parameters.set(`${textOf(parameter['in'])} ${textOf(parameter['name'])}`, parameter)
  }
  return [...parameters.values()]
}

export function toObject(value: unknown): ApiObject {
  return isRecord(value) ? value : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/**
 * Follows `$ref` within the document. External, dangling and circular references yield an empty object: nothing outside
 * the file is ever read.
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

/** The last part of a reference: the name of its target. */
export function referenceName(value: unknown): string | null {
  const reference = toObject(value)['$ref']
  return typeof reference === 'string' ? decodePart(reference.split('/').at(-1) ?? '') : null
}
