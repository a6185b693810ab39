import { expect, it } from 'vitest'
import { niceMax } from './nice-max.ts'

it.each([
  [1, 2],
  [2, 2],
  [3, 4],
  [9, 10],
  [10, 20],
  [41, 60],
  [100, 200],
  [999, 1_000],
  [123_456, 200_000],
])('ends the scale of values up to %d at %d', (value, max) => {
  expect(niceMax(value)).toBe(max)
})
