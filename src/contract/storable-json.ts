import type { JsonValue } from './json.ts'

/** Keys that reach an object's prototype. Clients refuse JSON that contains them. */
const prototypeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Far above the nesting of our own data, and far below what overflows the stack of a recursive reader. */
const depthMax = 64

/** Text that every database and transport accepts: without NUL, and with U+FFFD for lone surrogates. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/**
 * Copies JSON from outside so that it can be stored, sent and merged: strings pass through `toStorableText`, and keys
 * that reach prototypes are dropped.
 *
 * @throws {RangeError} if it is nested more than 64 deep.
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
