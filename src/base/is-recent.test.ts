import { expect, it } from 'vitest'
import { isRecent } from './is-recent.ts'

it.each([
  ['now', 1_000, true],
  ['just within', 901, true],
  ['at the bound', 900, false],
  ['never', -Infinity, false],
  ['ahead of a clock that was set back', 1_001, false],
])('tells what happened %s', (_, at, expected) => {
  expect(isRecent(at, 100, 1_000)).toBe(expected)
})
