import { expect, it } from 'vitest'
import { CitedPages } from './cited-pages.ts'
import { GatedPieces } from './gated-pieces.ts'
import type { LoopEvent } from '../models/loop/loop-event.ts'

function pass(events: readonly LoopEvent[]): LoopEvent[] {
  const passed: LoopEvent[] = []
  const pieces = new GatedPieces(new CitedPages('https://docs.example.com'), (event) => passed.push(event))
  for (const event of events) pieces.pass(event)
  pieces.end()
  return passed
}

const text = (id: string, ...deltas: string[]): LoopEvent[] => [
  { type: 'text-started', id },
  ...deltas.map((delta): LoopEvent => ({ type: 'text-delta', id, text: delta })),
  { type: 'text-ended', id },
]
const step: LoopEvent = { type: 'step-started' }
const joined = (events: readonly LoopEvent[]) =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')

it('makes one piece of those that follow each other, so that no link is made of two', () => {
  const events = pass([...text('a', 'See https:'), ...text('b', '//evil.example now'), step])

  expect(events.map(({ type }) => type)).toEqual([
    'text-started',
    'text-delta',
    'text-delta',
    'text-ended',
    'step-started',
  ])
  expect(joined(events)).toBe('See `https://evil.example` now')
})

it('begins text after something else in a line of its own, where no code and no link goes on', () => {
  const events = pass([...text('a', '```\nhttps://evil.example'), step, ...text('b', '[a](https://evil.example)')])

  expect(joined(events)).toBe('```\nhttps://evil.example\n```\n\na')
})

it('leaves out a piece of which nothing is left', () => {
  expect(pass([...text('a', '![](https://evil.example/i.png)'), step])).toEqual([step])
})

it('gates reasoning too', () => {
  const events = pass([
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
