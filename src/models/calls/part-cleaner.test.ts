import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toStorableText } from '../../contract/storable-json.ts'
import type { ChatStreamPart } from '../chat-model.ts'
import { PartCleaner } from './part-cleaner.ts'

function clean(parts: readonly ChatStreamPart[]): ChatStreamPart[] {
  const cleaner = new PartCleaner()
  return parts.flatMap((part) => [...cleaner.clean(part)])
}

const say = (delta: string, id = '1'): ChatStreamPart => ({ type: 'text-delta', id, delta })
const think = (delta: string, id = '1'): ChatStreamPart => ({ type: 'reasoning-delta', id, delta })
const end: ChatStreamPart = { type: 'text-end', id: '1' }
const finish: ChatStreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: undefined },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
}
const textOf = (parts: readonly ChatStreamPart[], type = 'text-delta') =>
  parts.flatMap((part) => (part.type === type && 'delta' in part ? [part.delta] : [])).join('')

describe('text', () => {
  it('joins a surrogate pair that was split between deltas, whatever comes between them', () => {
    const parts = clean([
      say('a\ud83d'),
      think('b\ud83d'),
      say('\0'),
      say('x', '2'),
      think('\udc4d'),
      say('\ude00c'),
      end,
    ])

    expect(textOf(parts.filter((part) => 'id' in part && part.id === '1'))).toBe('a😀c')
    expect(textOf(parts, 'reasoning-delta')).toBe('b👍')
  })

  it.each([
    ['at the end of its piece', [say('a\ud83d'), end], 'a\ufffd'],
    ['at the end of the stream', [say('a\ud83d'), finish], 'a\ufffd'],
    ['before another character', [say('a\ud83d'), say('b')], 'a\ufffdb'],
    ['without its first half', [say('a'), say('\ude00b')], 'a\ufffdb'],
  ])('puts a mark for half a character %s', (_, parts, expected) => {
    expect(textOf(clean(parts))).toBe(expected)
  })

  it('is the same however it is split', () => {
    const units = fc.array(fc.constantFrom('a', '\0', '\ud83d', '\ude00', '😀', 'é'), { maxLength: 20 })
    const cuts = fc.array(fc.nat(25), { maxLength: 6 })

    fc.assert(
      fc.property(units, cuts, (chars, at) => {
        const text = chars.join('')
        const bounds = [0, ...at.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length]
        const deltas = bounds.slice(1).map((to, index) => say(text.slice(bounds[index], to)))
        const parts = clean([...deltas, end])
        expect(textOf(parts)).toBe(toStorableText(text))
        expect(parts.every((part) => !('delta' in part) || part.delta.isWellFormed())).toBe(true)
      }),
    )
  })
})

it('cleans names, ids and metadata, and drops metadata that is nested too deeply', () => {
  const metadata = JSON.parse(String.raw`{"p":{"__proto__":{"x":1},"signature\u0000":"s\ud800"}}`) as {
    p: Record<string, string>
  }
  const deep = JSON.parse(`{"p":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`) as { p: Record<string, never> }

  const parts = clean([
    { type: 'reasoning-start', id: '1', providerMetadata: metadata },
    { type: 'tool-input-start', id: '2', toolName: 'sea\0rch' },
    { type: 'tool-call', toolCallId: 'c\0', toolName: 'search\ud800', input: '{}', providerMetadata: deep },
  ])

  expect(parts).toEqual([
    { type: 'reasoning-start', id: '1', providerMetadata: { p: { signature: 's\ufffd' } } },
    { type: 'tool-input-start', id: '2', toolName: 'search' },
    { type: 'tool-call', toolCallId: 'c', toolName: 'search\ufffd', input: '{}' },
  ])
})
