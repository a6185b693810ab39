/** Damping of ranks (the `k` of RRF). Measured: values of 5 and 60 give nearly the same results. */
const rankConstant = 10

export interface WeightedRanking {
  /** Best first, without duplicates. */
  chunks: readonly number[]
  weight: number
}

export interface FusedChunk {
  chunk: number
  /** Above 0; compares only within one call. */
  value: number
}

/**
 * Fuses rankings of the same chunks by reciprocal rank. Ranks, not scores, because word and vector scores share no
 * scale. Pure.
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
