import { averageQuality, mapMetrics, type Quality, type QualityMetric } from './retrieval-metrics.ts'

export type Interval = readonly [low: number, high: number]

const resamplesDefault = 1_000

/**
 * 95 % confidence intervals of the averages over queries, for other queries of the same kind.
 *
 * Resamples the queries with replacement and takes percentiles, because hit rates over a hundred queries are far from
 * normally distributed near 0 and 1. Seeded, so that the same run yields the same interval. Pure.
 *
 * @param ofQueries The measures of each query.
 * @see Efron, Tibshirani: An Introduction to the Bootstrap, 1993, chapter 13.
 */
export function bootstrapIntervals(
  ofQueries: readonly Quality[],
  resamples = resamplesDefault,
): Record<QualityMetric, Interval> {
  const random = createRandom(20_261_121)
  const averages = Array.from({ length: resamples }, () =>
    averageQuality(ofQueries.map(() => ofQueries[Math.floor(random() * ofQueries.length)] as Quality)),
  )
  return mapMetrics((metric) => {
    const ascending = averages.map((quality) => quality[metric]).sort((one, other) => one - other)
    return [takeQuantile(ascending, 0.025), takeQuantile(ascending, 0.975)]
  })
}

function takeQuantile(ascending: readonly number[], share: number): number {
  return ascending[Math.round((ascending.length - 1) * share)] ?? 0
}

/** A Park–Miller linear congruential generator: good enough to draw queries. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 0x7fffffff
    return state / 0x7fffffff
  }
}
