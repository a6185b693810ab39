import { z } from 'zod'
import type { JsonValue } from '../../contract/json.ts'

type Given = Readonly<Record<string, JsonValue>>
type AnySchema = z.core.$ZodType

/** Names that models know from tools of the same kind → ours, for schemas that have ours and not theirs. */
const synonyms: Readonly<Record<string, string | readonly string[]>> = {
  path: 'under',
  from: 'path',
  i: 'ignoreCase',
  a: 'context',
  b: 'context',
  c: 'context',
  contextlines: 'context',
  l: 'filesOnly',
  outputmode: 'filesOnly',
  isregex: 'regex',
  useregex: 'regex',
  command: 'action',
  todos: 'items',
  tasks: 'items',
  task: 'text',
  description: 'text',
  status: 'state',
  filepath: 'path',
  filename: 'path',
  file: ['path', 'under'],
  page: 'path',
  files: 'paths',
  oldstring: 'find',
  oldstr: 'find',
  oldtext: 'find',
  search: 'find',
  newstring: 'replace',
  newstr: 'replace',
  newtext: 'replace',
  replacement: 'replace',
  replaceall: 'all',
  text: 'content',
  content: 'text',
  filetext: 'content',
  contents: 'content',
  startline: 'from',
  offset: 'from',
  endline: 'to',
  source: ['from', 'path'],
  target: 'to',
  destination: 'to',
  newpath: 'to',
  query: 'pattern',
  regexp: 'pattern',
  caseinsensitive: 'ignoreCase',
  include: 'glob',
  directory: 'under',
  folder: 'under',
  dir: 'under',
  diff: 'patch',
  input: 'patch',
}

/** Names for the opposite of ours. */
const opposites: Readonly<Record<string, string>> = {
  casesensitive: 'ignoreCase',
  dryrun: 'apply',
  preview: 'apply',
}

/** Words for the choices of other tools → ours, for schemas that have ours and not theirs. */
const choices: Readonly<Record<string, string>> = {
  list: 'show',
  get: 'show',
  view: 'show',
  create: 'add',
  insert: 'add',
  delete: 'remove',
  rename: 'title',
  pending: 'open',
  todo: 'open',
  inprogress: 'doing',
  active: 'doing',
  completed: 'done',
  complete: 'done',
}

/** What models say about a call without being asked to, or only to keep its result short. */
const remarks = new Set(
  'explanation reason reasoning rationale thought thoughts instruction n headlimit maxresults recursive'.split(' '),
)

const wrappers = new Set(['input', 'arguments', 'args', 'parameters', 'params'])

/**
 * Brings the input of a tool call into the form of its schema where only one meaning is possible: a number or a list as
 * text, null for an absent option, one item for a list of one, another spelling or a synonym of a name. Everything else
 * stays as it is for the schema to judge.
 */
export function coerceInput(schema: z.ZodObject, given: Given): Record<string, JsonValue> {
  const { shape } = schema
  const names = new Map(Object.keys(shape).map((name) => [plainName(name), name]))
  const taken: Record<string, JsonValue> = {}
  for (const [written, value] of Object.entries(readLines(shape, unwrapInput(shape, given)))) {
    // It would not become a field, but fields that the schema finds.
    if (written === '__proto__') continue
    const plain = plainName(written)
    const theirs = [readOwn(synonyms, plain) ?? []].flat().map((name) => names.get(plainName(name)))
    const opposite = names.get(plainName(readOwn(opposites, plain) ?? ''))
    const name = Object.hasOwn(shape, written)
      ? written
      : (names.get(plain) ?? theirs.find((each) => each !== undefined) ?? opposite)
    const inner: AnySchema | undefined = name === undefined ? undefined : shape[name]
    if (inner === undefined || name === undefined) {
      if (!remarks.has(plain) && value !== null) taken[written] = value
    } else if (!(value === null && isOptional(inner)) && !(Object.hasOwn(taken, name) && name !== written)) {
      const read = coerceValue(unwrap(inner), value)
      taken[name] = name === opposite && typeof read === 'boolean' ? !read : read
    }
  }
  return taken
}

/** The input within a field that only holds it. */
function unwrapInput(shape: z.ZodObject['shape'], given: Given): Given {
  const [only, ...others] = Object.entries(given)
  if (only === undefined || others.length > 0) return given
  const [name, value] = only
  if (Object.hasOwn(shape, name) || !wrappers.has(plainName(name))) return given
  const inner = typeof value === 'string' ? readJson(value) : value
  return isObject(inner) ? inner : given
}

/** A longer text is no range, and would take long to read as one. */
const rangeCharsMax = 60

const rangeNames = new Set(['lines', 'line', 'range', 'linerange', 'viewrange'])

/** A range of lines in one field, also behind a path, and a number of lines, where the schema has the first and the last line. */
function readLines(shape: z.ZodObject['shape'], given: Given): Given {
  if (!['from', 'to'].every((name) => unwrap(shape[name] ?? z.never()) instanceof z.ZodNumber)) return given
  const path = typeof given['path'] === 'string' ? given['path'] : ''
  const [, bare = '', ofPath = ''] = /^(.+?\.\w+)(?::|#)(L?\d+(?:-L?\d+)?)$/.exec(path) ?? []
  const range = Object.entries(given).find(([name]) => rangeNames.has(plainName(name)))
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => name !== range?.[0] && name !== 'limit'))
  const limit = Number(given['limit'] ?? 0)
  const first = Number(given['from'] ?? given['offset'] ?? 1)
  const written = range === undefined ? ofPath : JSON.stringify(range[1]).slice(0, rangeCharsMax).replaceAll('"', '')
  const [, from, to = from] = /^\s*\[?\s*L?(\d+)\s*(?:(?:[-,:–]|\.\.|to)\s*L?(\d+)\s*)?\]?\s*$/.exec(written) ?? []
  if (from !== undefined && to !== undefined) {
    return { ...rest, ...(ofPath !== '' && { path: bare }), from: Number(from), to: Number(to) }
  }
  const isLimit = range === undefined && limit > 0 && first > 0
  return isLimit ? { ...rest, to: rest['to'] ?? first + limit - 1 } : given
}

/** Models may name a field like something that every object has. */
const readOwn = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

const plainName = (name: string) => name.toLowerCase().replaceAll(/[-_ ]/g, '')

function isOptional(schema: AnySchema): boolean {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
}

function unwrap(schema: AnySchema): AnySchema {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? unwrap(schema.unwrap())
    : schema
}

function coerceValue(schema: AnySchema, value: JsonValue): JsonValue {
  if (schema instanceof z.ZodNumber) return typeof value === 'string' ? readNumber(value) : value
  if (schema instanceof z.ZodBoolean) return readBoolean(value)
  if (schema instanceof z.ZodString)
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (schema instanceof z.ZodArray) return readList(schema.element, value)
  if (schema instanceof z.ZodEnum) return readChoice(schema, value)
  if (!(schema instanceof z.ZodObject)) return value
  const object = typeof value === 'string' ? readItem(schema, value) : value
  return isObject(object) ? coerceInput(schema, object) : value
}

function readNumber(text: string): JsonValue {
  return /^\s*-?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : text
}

function readBoolean(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value === 1 ? true : value === 0 ? false : value
  const word = value.trim().toLowerCase()
  if (['true', 'yes', '1', 'files_with_matches', 'count'].includes(word)) return true
  return ['false', 'no', '0', '', 'content'].includes(word) ? false : value
}

function readChoice({ options }: z.ZodEnum, value: JsonValue): JsonValue {
  const plain = typeof value === 'string' ? plainName(value.trim()) : ''
  return [plain, readOwn(choices, plain)].find((word) => word !== undefined && options.includes(word)) ?? value
}

/** A text may stand for an object that needs nothing else. */
function readItem(schema: z.ZodObject, text: string): JsonValue {
  const needed = Object.entries<AnySchema>(schema.shape).filter(([, inner]) => !isOptional(inner))
  const [only, ...others] = needed
  const isText = only !== undefined && others.length === 0 && only[1] instanceof z.ZodString
  return isText && !/^\s*[[{]/.test(text) ? { [only[0]]: text } : readJson(text)
}

function readList(element: AnySchema, value: JsonValue): JsonValue {
  const parsed = typeof value === 'string' && /^\s*[[{]/.test(value) ? readJson(value) : value
  const list = Array.isArray(parsed) ? parsed : [parsed]
  return list.map((item) => coerceValue(unwrap(element), item))
}

function readJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue // `JSON.parse` returns JSON.
  } catch {
    return text
  }
}

function isObject(value: JsonValue): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
