import type { JsonValue } from './json.ts'

/** Keys for which clients refuse to parse the JSON that holds them, because they lead to the prototype of an object. */
const prototypeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Far beyond what anything of ours nests, and far below what ends the stack of those that walk JSON. */
const depthMax = 64

/** Text that every database and every transport takes: without NUL, and U+FFFD for half a surrogate pair. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/**
 * A copy of JSON from outside that can be stored, sent and merged: keys and texts as `toStorableText` gives them, without
 * the keys that lead to prototypes.
 *
 * @throws {RangeError} when it is nested more than 64 deep.
 */
export function toStorableJson(value: JsonValue, depth = 0): JsonValue {
  if (typeof value === 'string') return toStorableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= depthMax) throw new RangeError(`The JSON is nested more than ${depthMax} deep.`)
  if (Array.isArray(value)) return value.map((item) => toStorableJson(item, depth + 1))
  const entries = Object.entries(value).map(([key, item]) => [toStorableText(key), item] as const)
  const kept = entries.filter(([key]) => !prototypeKeys.has(key))
  return Object.fromEntries(kept.map(([key, item]) => [key, toStorableJson(item, depth + 1)]))
}
