/** Quality of rankings against judged queries. Latencies are of whole queries, in milliseconds. */
export interface RetrievalReport {
  queries: number
  'hit@1': number
  'hit@3': number
  'hit@5': number
  'hit@10': number
  'recall@5': number
  'recall@10': number
  'mrr@10': number
  'ndcg@10': number
  p50Ms: number
  p95Ms: number
}

export interface JudgedRanking {
  /** Ids, best first, none twice. */
  ranked: readonly string[]
  /** What is to be found; of each group any one. */
  groups: readonly ReadonlySet<string>[]
  durationMs: number
}

/** Averages over queries; zeros when there are none. */
export function measureRetrieval(rankings: readonly JudgedRanking[]): RetrievalReport {
  const judged = rankings.map((ranking) => ({
    ...ranking,
    ranks: ranking.groups.map((group) => findRank(ranking.ranked, group)),
  }))
  const average = (measure: (one: { ranks: number[]; ranked: readonly string[] }) => number) =>
    judged.reduce((sum, one) => sum + measure(one), 0) / Math.max(1, judged.length)
  const durations = rankings.map(({ durationMs }) => durationMs).sort((one, other) => one - other)
  return {
    queries: rankings.length,
    'hit@1': average(({ ranks }) => Number(countWithin(ranks, 1) > 0)),
    'hit@3': average(({ ranks }) => Number(countWithin(ranks, 3) > 0)),
    'hit@5': average(({ ranks }) => Number(countWithin(ranks, 5) > 0)),
    'hit@10': average(({ ranks }) => Number(countWithin(ranks, 10) > 0)),
    'recall@5': average(({ ranks }) => countWithin(ranks, 5) / Math.max(1, ranks.length)),
    'recall@10': average(({ ranks }) => countWithin(ranks, 10) / Math.max(1, ranks.length)),
    'mrr@10': average(({ ranks }) => (countWithin(ranks, 10) > 0 ? 1 / Math.min(...ranks) : 0)),
    'ndcg@10': average(({ ranks }) => measureGain(ranks)),
    p50Ms: takePercentile(durations, 0.5),
    p95Ms: takePercentile(durations, 0.95),
  }
}

/** From 1; Infinity when nothing of the group was found. */
function findRank(ranked: readonly string[], group: ReadonlySet<string>): number {
  const index = ranked.findIndex((id) => group.has(id))
  return index < 0 ? Infinity : index + 1
}

const discount = (rank: number) => 1 / Math.log2(rank + 1)

const countWithin = (ranks: readonly number[], limit: number) => ranks.filter((rank) => rank <= limit).length

/** Normalised discounted cumulative gain of the first ten, every group worth one. */
function measureGain(ranks: readonly number[]): number {
  const gain = [...new Set(ranks)].filter((rank) => rank <= 10).reduce((sum, rank) => sum + discount(rank), 0)
  const ideal = ranks.slice(0, 10).reduce((sum, _, index) => sum + discount(index + 1), 0)
  return ideal === 0 ? 0 : gain / ideal
}

function takePercentile(ascending: readonly number[], share: number): number {
  const value = ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0
  return Math.round(value * 1000) / 1000
}
