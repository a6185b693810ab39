import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ThinkingSplitter } from './split-thinking.ts'

/** @returns The thinking and the text of a piece that arrives in these deltas. */
function split(deltas: readonly string[]): { thinking: string; text: string } {
  const splitter = new ThinkingSplitter()
  const parts = deltas.flatMap((delta) => splitter.split({ type: 'text-delta', id: '1', delta }))
  const all = [...parts, ...splitter.end('1')]
  const join = (type: string) => all.map((part) => (part.type === type && 'delta' in part ? part.delta : '')).join('')
  return { thinking: join('reasoning-delta'), text: join('text-delta') }
}

it.each([
  ['at the start', '<think>Let me see.</think>\n\nUse a key.', 'Let me see.', 'Use a key.'],
  ['under another name', '\n<reasoning>a</reasoning>b', 'a', 'b'],
  ['in brackets', '[THINK]a[/THINK]b', 'a', 'b'],
  ['twice', '<think>a</think>\n<think>b</think>c', 'ab', 'c'],
  ['in capitals', '<Think>A</THINK>b', 'A', 'b'],
  ['in marks of its own', '◁think▷a◁/think▷b', 'a', 'b'],
  ['between bars', '<|begin_of_thought|>\na\n<|end_of_thought|>\n\nb', '\na\n', 'b'],
  ['in channels', '<|channel|>analysis<|message|>a<|start|>assistant<|channel|>final<|message|>b', 'a', 'b'],
  ['in no channel', '<|channel|>final<|message|>b', '', 'b'],
  ['that was begun for the model and is empty', '</think>\n\nb', '', 'b'],
  ['that is empty', '<think>\n\n</think>a', '\n\n', 'a'],
  ['that breaks off', '<think>a</thi', 'a</thi', ''],
  ['that is only a sign', 'a < b', '', 'a < b'],
  ['that nearly begins', '<thin', '', '<thin'],
  ['that only ends, further down', 'Okay, a key.\n</think>\n\nUse a key.', '', 'Okay, a key.\n\n\nUse a key.'],
  ['that only ends, in code', 'So:\n```\n</think>\n```\nb', '', 'So:\n```\n</think>\n```\nb'],
  ['that only ends, behind code', '```\na\n```\n</think>b', '', '```\na\n```\nb'],
  ['that breaks off in its end', 'a\n</thi', '', 'a\n</thi'],
  ['in the middle of an answer about it', 'Write `<think>` first.</think>', '', 'Write `<think>` first.</think>'],
])('separates thinking %s', (_, written, thinking, text) => {
  expect(split([written])).toEqual({ thinking, text })
  expect(split(written.split(''))).toEqual({ thinking, text })
})

it('separates each piece of text anew', () => {
  const splitter = new ThinkingSplitter()

  splitter.split({ type: 'text-delta', id: '1', delta: 'Hello' })

  expect(splitter.split({ type: 'text-delta', id: '2', delta: '<think>a' })).toEqual([
    { type: 'reasoning-delta', id: '2', delta: 'a' },
  ])
})

it('gives the same however the text is cut', () => {
  const words = fc.array(
    fc.constantFrom('<think>', '</think>', '[THINK]', 'a', '<', '/', ' ', 'think>', '\n', '`', '```'),
    {
      maxLength: 12,
    },
  )
  fc.assert(
    fc.property(words, fc.array(fc.nat(40), { maxLength: 8 }), (pieces, at) => {
      const text = pieces.join('')
      const bounds = [0, ...at.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length]

      expect(split(bounds.slice(1).map((to, index) => text.slice(bounds[index], to)))).toEqual(split([text]))
    }),
  )
})
