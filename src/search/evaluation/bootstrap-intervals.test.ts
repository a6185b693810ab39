import { expect, it } from 'vitest'
import { bootstrapIntervals } from './bootstrap-intervals.ts'
import { mapMetrics, type Quality } from './retrieval-metrics.ts'

const makeQueries = (hits: readonly number[]): Quality[] => hits.map((hit) => mapMetrics(() => hit))

it('contains the average, is reproducible, and narrows with the square root of the queries', () => {
  const few = bootstrapIntervals(makeQueries(Array.from({ length: 100 }, (_, query) => query % 2)))['hit@5']
  const many = bootstrapIntervals(makeQueries(Array.from({ length: 1600 }, (_, query) => query % 2)), 400)['hit@5']

  // The normal approximation gives ±.098 for a hundred queries.
  expect(few[0]).toBeGreaterThan(0.37)
  expect(few[0]).toBeLessThan(0.43)
  expect(few[1]).toBeGreaterThan(0.57)
  expect(few[1]).toBeLessThan(0.63)
  const narrowing = (few[1] - few[0]) / (many[1] - many[0])
  expect(narrowing).toBeGreaterThan(3)
  expect(narrowing).toBeLessThan(5.3)
  expect(bootstrapIntervals(makeQueries([0, 1, 1]))).toEqual(bootstrapIntervals(makeQueries([0, 1, 1])))
})

it('is a point if all queries score alike, and zero without queries', () => {
  expect(bootstrapIntervals(makeQueries([1, 1, 1]))['mrr@10']).toEqual([1, 1])
  expect(bootstrapIntervals([])['mrr@10']).toEqual([0, 0])
})
