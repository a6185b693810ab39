/** Arrays as long as the index, which are expensive to make for each search. */
export interface ScoreBuffer {
  /** All zero but for `chunks`. */
  own: Float64Array
  totals: Float64Array
  pages: Float64Array
  /** All zero between searches. */
  synonyms: Float64Array
  /** Chunks of the search that used it last. */
  chunks: readonly number[]
}

export function createScoreBuffer(chunkCount: number, pageCount: number): ScoreBuffer {
  const [own, totals, synonyms] = [
    new Float64Array(chunkCount),
    new Float64Array(chunkCount),
    new Float64Array(chunkCount),
  ]
  return { own, totals, synonyms, pages: new Float64Array(pageCount), chunks: [] }
}

export function clearScores({ own, totals, pages, chunks }: ScoreBuffer): void {
  for (const chunk of chunks) {
    own[chunk] = 0
    totals[chunk] = 0
  }
  pages.fill(0)
}
