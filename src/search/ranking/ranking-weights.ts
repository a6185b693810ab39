import { fieldCount } from '../index-file/postings.ts'

/** The weights of the ranking, in one place so that an evaluation can vary them. */
export interface RankingWeights {
  /** By field: title, headings, body, path. */
  fields: readonly number[]
  /** BM25: how fast repeated occurrences saturate, and how much length counts against a field. */
  saturation: number
  lengthPenalty: number
  /** Share of the page's BM25 in each of its chunks. */
  page: number
  /** Share of the better of its two neighbours on the page. */
  neighbour: number
  /** Share of the proximity of adjacent query words. */
  proximity: number
  /**
   * Share of the best score that a page's best passage gains if the query is the page's name. Only one passage gains,
   * because a page that is the topic would otherwise fill the results.
   */
  topic: number
  /** Share of the score of a synonym where the word itself is missing. */
  synonym: number
}

export const rankingWeights: RankingWeights = {
  fields: [1, 1, 1, 0.5],
  saturation: 1.2,
  lengthPenalty: 0.75,
  page: 0.4,
  neighbour: 0.1,
  proximity: 1.2,
  topic: 0.5,
  synonym: 0.5,
}

if (rankingWeights.fields.length !== fieldCount) throw new Error('Every indexed field needs one weight.')
