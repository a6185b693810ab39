import { expect, it } from 'vitest'
import type { AnswerEvent } from '../../contract/answer-event.ts'
import type { LoopEvent } from '../../models/loop/loop-event.ts'
import { AnswerPages } from '../answer-pages.ts'
import { GatedAnswer } from './gate-answer.ts'

function gate(events: readonly LoopEvent[]): AnswerEvent[] {
  const emitted: AnswerEvent[] = []
  const pages = new AnswerPages({ url: 'https://docs.example.com', revision: 'r1', commit: null }, 'absolute')
  const emit = (event: AnswerEvent) => void emitted.push(event)
  const gated = new GatedAnswer({ now: () => 0 }, pages, emit)
  for (const event of events) void gated.pass(event)
  gated.endPiece()
  return emitted
}
const text = (id: string, ...deltas: string[]): LoopEvent[] => [
  { type: 'text-started', id },
  ...deltas.map((delta): LoopEvent => ({ type: 'text-delta', id, text: delta })),
  { type: 'text-ended', id },
]
const step: LoopEvent = { type: 'step-started' }
const joined = (events: readonly AnswerEvent[]) =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')

it('merges consecutive pieces, so that no link can span two', () => {
  const events = gate([...text('a', 'See https:'), ...text('b', '//evil.example now'), step])

  expect(events.map(({ type }) => type)).toEqual([
    'text-started',
    'text-delta',
    'text-delta',
    'text-ended',
    'step-started',
  ])
  expect(joined(events)).toBe('See `https://evil.example` now')
})

it('begins text after something else on its own line, where no code or link continues', () => {
  const events = gate([...text('a', '```\nhttps://evil.example'), step, ...text('b', '[a](https://evil.example)')])

  expect(joined(events)).toBe('```\nhttps://evil.example\n```\n\na')
})

it('leaves out a piece that ends up empty', () => {
  expect(gate([...text('a', '![](https://evil.example/i.png)'), step])).toEqual([step])
})

it('gates reasoning too', () => {
  const events = gate([
    { type: 'reasoning-started', id: 'r' },
    { type: 'reasoning-delta', id: 'r', text: '![x](https://evil.example/i.png)' },
    { type: 'reasoning-ended', id: 'r' },
    step,
  ])

  expect(events).toEqual([
    { type: 'reasoning-started', id: 'r' },
    { type: 'reasoning-delta', id: 'r', text: 'x' },
    { type: 'reasoning-ended', id: 'r' },
    step,
  ])
})
