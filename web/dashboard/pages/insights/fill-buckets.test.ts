import { expect, it } from 'vitest'
import { describeBucket, fillBuckets } from './fill-buckets.ts'

const tally = { questions: 3, answered: 2, unanswered: 1, broken: 0, helpful: 0, unhelpful: 1, costUsd: 0 }

it('has a bucket for every day, those without questions too, and keeps what was counted', () => {
  const filled = fillBuckets({
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-04T10:00:00.000Z',
    bucket: 'day',
    buckets: [{ ...tally, startsAt: '2026-03-02T00:00:00.000Z' }],
  })

  expect(filled.map(({ startsAt, questions }) => [startsAt.slice(0, 10), questions])).toEqual([
    ['2026-03-01', 0],
    ['2026-03-02', 3],
    ['2026-03-03', 0],
    ['2026-03-04', 0],
  ])
})

it('names hours and days of UTC, each differently', () => {
  expect(describeBucket('2026-03-02T23:00:00.000Z', 'hour')).toBe('Mar 2, 23:00')
  expect(describeBucket('2026-03-02T23:00:00.000Z', 'day')).toBe('Mar 2, 2026')
})
