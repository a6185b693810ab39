import { fieldCount } from '../index-file/postings.ts'

/** The weights of the ranking, in one place so that an evaluation can vary them. */
export interface RankingWeights {
  /** By field: title, headings, body, path. */
  fields: readonly number[]
  /** BM25: how fast further occurrences stop counting, and how much length counts against a field. */
  saturation: number
  lengthPenalty: number
  /** Share of the whole page's BM25 in each of its chunks. */
  page: number
  /** Share of the better of the two chunks beside it on the page. */
  neighbour: number
  /** Share of the proximity of neighbouring query words. */
  proximity: number
  /**
   * What a place by meaning counts of the same place by words. Less than 1: measured with published rankings of four
   * embedding models, the best of them loses nothing by it, and the others, which alone find less than words do, lose
   * less of what words find.
   */
  meaning: number
}

export const rankingWeights: RankingWeights = {
  fields: [1, 1, 1, 0.5],
  saturation: 1.2,
  lengthPenalty: 0.75,
  page: 0.4,
  neighbour: 0.1,
  proximity: 1.2,
  meaning: 0.8,
}

if (rankingWeights.fields.length !== fieldCount) throw new Error('Every indexed field needs one weight.')
