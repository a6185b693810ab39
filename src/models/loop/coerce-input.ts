import { z } from 'zod'
import type { JsonValue } from '../../contract/json.ts'

type Given = Readonly<Record<string, JsonValue>>
type AnySchema = z.core.$ZodType

/** Names that models know from tools of the same kind → ours, for schemas that have ours and not theirs. */
const synonyms: Readonly<Record<string, string>> = {
  filepath: 'path',
  filename: 'path',
  file: 'path',
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
  filetext: 'content',
  contents: 'content',
  startline: 'from',
  offset: 'from',
  endline: 'to',
  source: 'from',
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

/** What models say about a call without being asked to. */
const remarks = new Set(['explanation', 'reason', 'reasoning', 'rationale', 'thought', 'thoughts', 'instruction'])

/**
 * Brings the input of a tool call into the form of its schema where only one meaning is possible: a number or a list as
 * text, null for an absent option, one item for a list of one, another spelling or a synonym of a name. Everything else
 * stays as it is for the schema to judge.
 */
export function coerceInput(schema: z.ZodObject, given: Given): Record<string, JsonValue> {
  const { shape } = schema
  const names = new Map(Object.keys(shape).map((name) => [plainName(name), name]))
  const taken: Record<string, JsonValue> = {}
  for (const [written, value] of Object.entries(given)) {
    const plain = plainName(written)
    const name = written in shape ? written : (names.get(plain) ?? names.get((synonyms[plain] ?? '').toLowerCase()))
    const inner: AnySchema | undefined = name === undefined ? undefined : shape[name]
    if (inner === undefined || name === undefined) {
      if (!remarks.has(plain) && value !== null) taken[written] = value
    } else if (!(value === null && isOptional(inner)) && !(name in taken && name !== written)) {
      taken[name] = coerceValue(unwrap(inner), value)
    }
  }
  return taken
}

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
  if (!(schema instanceof z.ZodObject)) return value
  const object = typeof value === 'string' ? readJson(value) : value
  return isObject(object) ? coerceInput(schema, object) : value
}

function readNumber(text: string): JsonValue {
  return /^\s*-?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : text
}

function readBoolean(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value === 1 ? true : value === 0 ? false : value
  const word = value.trim().toLowerCase()
  return ['true', 'yes', '1'].includes(word) ? true : ['false', 'no', '0', ''].includes(word) ? false : value
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
