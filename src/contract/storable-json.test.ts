import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from './json.ts'
import { toStorableJson, toStorableText } from './storable-json.ts'

const read = (json: string) => toStorableJson(JSON.parse(json) as JsonValue)

describe('text', () => {
  it.each([
    ['a\0b', 'ab'],
    ['a\ud83d', 'a\ufffd'],
    ['\ude00a', '\ufffda'],
    ['\ud83d\0\ude00', '😀'],
    ['as it is 😀', 'as it is 😀'],
  ])('%j becomes %j', (text, expected) => {
    expect(toStorableText(text)).toBe(expected)
  })
})

describe('JSON', () => {
  it('loses the keys that lead to prototypes, however they are written and wherever they stand', () => {
    const json = String.raw`{"a":[{"__proto__":{"x":1},"b":1}],"\u005f_proto__":2,"__pro\u0000to__":3,
      "constructor":{"prototype":{"y":1}},"c":{"prototype":4}}`

    expect(JSON.stringify(read(json))).toBe('{"a":[{"b":1}],"c":{}}')
  })

  it('is cleaned in keys and in values', () => {
    expect(read(String.raw`{"k\u0000":["\ud800",null,1.5,true]}`)).toEqual({ k: ['\ufffd', null, 1.5, true] })
  })

  it('is refused when it is nested too deeply, and not walked to its end', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

    expect(() => read(nested(100_000))).toThrow(RangeError)
    expect(read(nested(64))).toBeInstanceOf(Array)
  })

  it('stays as it is where nothing is wrong with it', () => {
    const key = fc.string().filter((text) => !/__proto__|constructor|prototype|\0/.test(text))
    const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constant(null),
        fc.integer(),
        key,
        fc.array(tie('tree')),
        fc.dictionary(key, tie('tree')),
      ) as fc.Arbitrary<JsonValue>,
    }))

    fc.assert(
      fc.property(tree, (value) => {
        expect(toStorableJson(value)).toEqual(value)
      }),
    )
  })
})
