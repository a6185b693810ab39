/** Ranking metrics, each averaged over queries, 0 to 1. */
export const qualityMetrics = [
  'hit@1',
  'hit@3',
  'hit@5',
  'hit@10',
  'recall@5',
  'recall@10',
  'mrr@10',
  'ndcg@10',
] as const

export type QualityMetric = (typeof qualityMetrics)[number]
export type Quality = Record<QualityMetric, number>

/** Quality of rankings against judged queries. Latencies are of whole queries, in milliseconds. */
export interface RetrievalReport extends Quality {
  queries: number
  p50Ms: number
  p95Ms: number
}

export interface JudgedRanking {
  /** Ids, best first, without duplicates. */
  ranked: readonly string[]
  /** The expected ids; any one of a group suffices. */
  groups: readonly ReadonlySet<string>[]
  durationMs: number
}

/** Averages over queries; zeros when there are none. */
export function measureRetrieval(rankings: readonly JudgedRanking[]): RetrievalReport {
  const durations = rankings.map(({ durationMs }) => durationMs).sort((one, other) => one - other)
  return {
    queries: rankings.length,
    ...averageQuality(rankings.map(measureQuery)),
    p50Ms: takePercentile(durations, 0.5),
    p95Ms: takePercentile(durations, 0.95),
  }
}

/** The measures of one query. */
export function measureQuery({ ranked, groups }: JudgedRanking): Quality {
  const ranks = groups.map((group) => findRank(ranked, group))
  const hit = (limit: number) => Number(countWithin(ranks, limit) > 0)
  const recall = (limit: number) => countWithin(ranks, limit) / Math.max(1, ranks.length)
  return {
    'hit@1': hit(1),
    'hit@3': hit(3),
    'hit@5': hit(5),
    'hit@10': hit(10),
    'recall@5': recall(5),
    'recall@10': recall(10),
    'mrr@10': hit(10) === 0 ? 0 : 1 / Math.min(...ranks),
    'ndcg@10': measureGain(ranks),
  }
}

export function averageQuality(ofQueries: readonly Quality[]): Quality {
  const average = (metric: QualityMetric) =>
    ofQueries.reduce((sum, quality) => sum + quality[metric], 0) / Math.max(1, ofQueries.length)
  return mapMetrics(average)
}

/** One value for every measure, in the order of `qualityMetrics`. */
export function mapMetrics<Value>(make: (metric: QualityMetric) => Value): Record<QualityMetric, Value> {
  const entries = qualityMetrics.map((metric) => [metric, make(metric)] as const)
  return Object.fromEntries(entries) as Record<QualityMetric, Value> // Every metric has an entry.
}

/** Rank from 1; Infinity if nothing of the group was found. */
function findRank(ranked: readonly string[], group: ReadonlySet<string>): number {
  const index = ranked.findIndex((id) => group.has(id))
  return index < 0 ? Infinity : index + 1
}

const discount = (rank: number) => 1 / Math.log2(rank + 1)

const countWithin = (ranks: readonly number[], limit: number) => ranks.filter((rank) => rank <= limit).length

/** Normalized discounted cumulative gain of the first ten, with equal gain for every group. */
function measureGain(ranks: readonly number[]): number {
  const gain = [...new Set(ranks)].filter((rank) => rank <= 10).reduce((sum, rank) => sum + discount(rank), 0)
  const ideal = ranks.slice(0, 10).reduce((sum, _, index) => sum + discount(index + 1), 0)
  return ideal === 0 ? 0 : gain / ideal
}

function takePercentile(ascending: readonly number[], share: number): number {
  const value = ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0
  return Math.round(value * 1000) / 1000
}
