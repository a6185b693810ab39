import { expect, it } from 'vitest'
import { describeTime } from './describe-time.ts'

const now = Date.UTC(2026, 10, 21, 12)
const minute = 60_000
const day = 24 * 60 * minute

it.each([
  [0, 'just now'],
  [-59_000, 'just now'],
  [-minute, '1 minute ago'],
  [-90 * minute, '1 hour ago'],
  [-day, 'yesterday'],
  [7 * day, 'in 7 days'],
  [-45 * day, 'last month'],
  [400 * day, 'next year'],
])('calls what is %d ms away %s', (distance, text) => {
  expect(describeTime(now + distance, now)).toBe(text)
})
