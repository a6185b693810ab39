import { expect, it } from 'vitest'
import { sumByCode, sumByTime } from './count-errors.ts'

const now = Date.parse('2026-03-02T10:30:00.000Z')
const counts = [
  { code: 'key_missing', hour: '2026-03-02T10:00:00.000Z', count: 2 },
  { code: 'limit_reached', hour: '2026-03-02T09:00:00.000Z', count: 5 },
  { code: 'key_missing', hour: '2026-03-01T11:00:00.000Z', count: 3 },
] as const

it('adds up each code, the most frequent first and equals by name', () => {
  expect(sumByCode(counts)).toEqual([
    { code: 'key_missing', count: 5, lastHour: '2026-03-02T10:00:00.000Z' },
    { code: 'limit_reached', count: 5, lastHour: '2026-03-02T09:00:00.000Z' },
  ])
})

it('has a bar for every hour, and loses no error', () => {
  const bars = sumByTime(counts, { hours: 24, hoursOfBar: 1, now })

  expect(bars).toHaveLength(24)
  expect(bars.map(({ count }) => count)).toEqual([3, ...Array<number>(21).fill(0), 5, 2])
  expect(new Date(bars[0]?.startsAt ?? 0).toISOString()).toBe('2026-03-01T11:00:00.000Z')
})

it('has bars of whole days of UTC', () => {
  const bars = sumByTime(counts, { hours: 168, hoursOfBar: 24, now })

  expect(bars.at(-1)).toEqual({ startsAt: Date.parse('2026-03-02T00:00:00.000Z'), count: 7 })
  expect(bars.at(-2)?.count).toBe(3)
})
