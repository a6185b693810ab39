import { expect, it } from 'vitest'
import { CallRepeats } from './call-repeats.ts'

const read = { toolName: 'read', input: { path: 'a.mdx', from: 1 } }
const same = { type: 'returned', output: 'text' } as const
const repeat = (repeats: CallRepeats, times: number) => Array.from({ length: times }, () => repeats.note(read, same))

it('tells the model at the third call with the same result, and ends the work at the sixth', () => {
  const repeats = new CallRepeats([])

  const notes = repeat(repeats, 5)
  const isStuckAtFive = repeats.isStuck
  repeats.note({ toolName: 'read', input: { from: 1, path: 'a.mdx' } }, same)

  expect(notes.map((note) => note !== null)).toEqual([false, false, true, true, true])
  expect([isStuckAtFive, repeats.isStuck]).toEqual([false, true])
})

it('counts failures alike, across a restart', () => {
  const failure = { type: 'failed', message: 'There is no such file.' } as const
  const before = new CallRepeats([])
  before.note(read, failure)
  before.note(read, failure)

  const after = new CallRepeats(before.recent)

  expect(after.note(read, failure)).toContain('3 times')
})

it('begins anew with another result, another call, or a changed file', () => {
  const repeats = new CallRepeats([])
  repeat(repeats, 2)

  const changed = repeats.note(read, { type: 'returned', output: 'new text' })
  const other = repeats.note({ toolName: 'read', input: { path: 'b.mdx' } }, same)
  repeats.forget()

  expect([changed, other, ...repeat(repeats, 2)]).toEqual([null, null, null, null])
})
