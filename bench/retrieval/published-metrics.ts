import type { JudgedRanking } from '../../src/search/evaluation/retrieval-metrics.ts'

/** What the publishers of judged sets report: of chunk sets the first three and the share found, of page sets what a model reads. */
export interface PublishedMetrics {
  'P@3': number
  'R@3': number
  F1: number
  'MRR@3': number
  'pass@5': number
  'pass@10': number
  'pass@20': number
}

/** F1 is the harmonic mean of the averages, as published, not the average of harmonic means. */
export function measurePublished(rankings: readonly JudgedRanking[]): PublishedMetrics {
  const ranks = rankings.map(({ ranked, groups }) =>
    groups.map((group) => ranked.findIndex((id) => group.has(id)) + 1 || Infinity),
  )
  const average = (measure: (ofQuery: number[], query: number) => number) =>
    ranks.reduce((sum, ofQuery, query) => sum + measure(ofQuery, query), 0) / Math.max(1, ranks.length)
  const recall = (limit: number) =>
    average((ofQuery) => ofQuery.filter((rank) => rank <= limit).length / Math.max(1, ofQuery.length))
  const precision = average(
    (ofQuery, query) =>
      ofQuery.filter((rank) => rank <= 3).length / Math.max(1, Math.min(3, rankings[query]?.ranked.length ?? 0)),
  )
  return {
    'P@3': precision,
    'R@3': recall(3),
    F1: precision + recall(3) === 0 ? 0 : (2 * precision * recall(3)) / (precision + recall(3)),
    'MRR@3': average((ofQuery) => (Math.min(...ofQuery) <= 3 ? 1 / Math.min(...ofQuery) : 0)),
    'pass@5': recall(5),
    'pass@10': recall(10),
    'pass@20': recall(20),
  }
}
