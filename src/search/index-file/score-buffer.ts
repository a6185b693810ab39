/** Arrays as long as the index, which are expensive to make for each search. */
export interface ScoreBuffer {
  /** All zero but for `found`. */
  own: Float64Array
  totals: Float64Array
  pages: Float64Array
  /** All zero between searches. */
  synonyms: Float64Array
  /** Chunks of the search that used it last. */
  found: ChunkList
  /** Chunks that the synonyms of one term are in. */
  withSynonyms: ChunkList
}

/** The first `length` entries of `chunks`. */
export interface ChunkList {
  chunks: Int32Array
  length: number
}

export function createScoreBuffer(chunkCount: number, pageCount: number): ScoreBuffer {
  const [own, totals, synonyms] = [
    new Float64Array(chunkCount),
    new Float64Array(chunkCount),
    new Float64Array(chunkCount),
  ]
  const [found, withSynonyms] = [createChunkList(chunkCount), createChunkList(chunkCount)]
  return { own, totals, synonyms, pages: new Float64Array(pageCount), found, withSynonyms }
}

const createChunkList = (chunkCount: number): ChunkList => ({ chunks: new Int32Array(chunkCount), length: 0 })

export function clearScores({ own, totals, pages, found }: ScoreBuffer): void {
  for (let place = 0; place < found.length; place++) {
    const chunk = found.chunks[place] as number
    own[chunk] = 0
    totals[chunk] = 0
  }
  found.length = 0
  pages.fill(0)
}
