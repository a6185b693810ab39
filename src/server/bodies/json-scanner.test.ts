import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../contract/app-error.ts'
import { jsonBounds, JsonScanner } from './json-scanner.ts'

/** The error for bytes that arrive in these pieces; null if they pass. */
function scan(text: string, cuts: readonly number[] = []): string | null {
  const bytes = new TextEncoder().encode(text)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  const scanner = new JsonScanner()
  try {
    for (const [index, start] of places.slice(0, -1).entries()) scanner.push(bytes.subarray(start, places[index + 1]))
    return null
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') return error.message
    throw error
  }
}

const list = (entry: string, count: number) => `[${Array.from({ length: count }, () => entry).join()}]`
const nest = (depth: number, [open, close]: readonly [string, string]) => open.repeat(depth) + close.repeat(depth)
const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`

describe('accepts', () => {
  it('any JSON of common size, however it is split and formatted', () => {
    const space = fc.constantFrom(undefined, 1, '\t')
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), space, fc.array(fc.nat(), { maxLength: 20 }), (value, gap, cuts) => {
        expect(scan(JSON.stringify(value, null, gap), cuts)).toBeNull()
      }),
    )
  })

  it('bodies exactly at its bounds', () => {
    expect(scan(nest(jsonBounds.depth, ['[', ']']))).toBeNull()
    expect(scan(list('1', jsonBounds.values - 1))).toBeNull()
    expect(scan(keys(jsonBounds.keysOfObject))).toBeNull()
    expect(scan(`{"messages":${list('{}', jsonBounds.messages)}}`)).toBeNull()
  })

  it('brackets, commas and colons in strings, after every escape', () => {
    const text = `${'[{":,'.repeat(100_000)}\\"\\\\`

    expect(scan(JSON.stringify([text, '\\', '"', { [text]: text }]))).toBeNull()
  })
})

describe('rejects', () => {
  it.each([
    ['lists in lists', nest(jsonBounds.depth + 1, ['[', ']']), /nests deeper than 100/],
    ['objects in objects', nest(jsonBounds.depth + 1, ['{"a":', '}']), /nests deeper than 100/],
    ['what is never closed', '['.repeat(1_000_000), /nests deeper than 100/],
    ['many values', list('1', jsonBounds.values), /more than 60000 values/],
    ['many empty lists', list('[]', jsonBounds.values / 2), /more than 60000 values/],
    ['many keys of one object', keys(jsonBounds.keysOfObject + 1), /an object with more than 2000 keys/],
    ['one key many times', `{${'"a":1,'.repeat(2_001)}`, /an object with more than 2000 keys/],
    ['many keys together', list('{"a":1}', jsonBounds.keys + 1), /more than 20000 keys/],
    ['many messages', `{"messages":${list('1', jsonBounds.messages + 1)}}`, /more than 5000 entries/],
  ])('%s', (_, text, message) => {
    expect(scan(text)).toMatch(message)
  })

  it('the same texts, wherever they are split', () => {
    const escaped = JSON.stringify('"\\,[{:')
    const texts = [
      nest(101, ['[', ']']),
      `{"messages":${list(escaped, 5_001)}}`,
      list(`{${escaped}:${escaped}}`, 25_001),
    ]
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(fc.nat(), { maxLength: 30 }), (text, cuts) => {
        expect(scan(text, cuts)).toBe(scan(text))
      }),
      { numRuns: 30 },
    )
  })

  it('every JSON over a bound, as counted in the result of JSON.parse', () => {
    const shape = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(1, null, '', '"', '\\'),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string({ maxLength: 3 }), tie('value'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(shape.value, fc.integer({ min: 1, max: 60_000 }), (value, count) => {
        const values = Array.from({ length: Math.ceil(count / countValues(value)) }, () => value)
        const isOver = countValues(values) > jsonBounds.values

        expect(isOver && scan(JSON.stringify(values)) === null).toBe(false)
      }),
      { numRuns: 50 },
    )
  })
})

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, inner) => sum + countValues(inner), 1)
}
