/** How slowly a place counts less than the one before. Measured: 5 and 60 differ little from it. */
const rankConstant = 10

export interface WeightedRanking {
  /** Best first, none twice. */
  chunks: readonly number[]
  weight: number
}

export interface FusedChunk {
  chunk: number
  /** Above 0; compares only within one call. */
  value: number
}

/**
 * Fuses rankings of the same chunks by reciprocal rank: ranks and not scores, because what words and what vectors
 * measure share no scale. Pure.
 *
 * @returns Best first; ties keep first-seen order.
 * @see Cormack, Clarke, Büttcher: Reciprocal Rank Fusion, SIGIR 2009.
 */
export function fuseRanks(rankings: readonly WeightedRanking[]): FusedChunk[] {
  const values = new Map<number, number>()
  for (const { chunks, weight } of rankings) {
    chunks.forEach((chunk, place) => values.set(chunk, (values.get(chunk) ?? 0) + weight / (rankConstant + place + 1)))
  }
  return Array.from(values, ([chunk, value]) => ({ chunk, value })).sort((one, other) => other.value - one.value)
}
