import { fieldOffset, type IndexFile } from '../index-file/index-file.ts'
import { countBits, countIn, countMax, decodePostings } from '../index-file/postings.ts'
import { type ChunkList, clearScores, createScoreBuffer, type ScoreBuffer } from '../index-file/score-buffer.ts'
import type { QueryTerm } from '../query-terms.ts'
import type { RankingWeights } from './ranking-weights.ts'
import { countVisible, type SearchScope } from './search-scope.ts'

/** A query term with its statistics in this scope. */
export interface ScoredTerm extends QueryTerm {
  id: number
  /** Visible chunks that contain it. */
  chunkCount: number
  /** Its inverse document frequency times `QueryTerm.weight`. */
  idf: number
}

/** Other words for a term of a query. */
export interface Synonyms {
  term: string
  /** Terms of its synonyms. */
  relatives: readonly string[]
}

export interface ChunkScores {
  /** Terms that some chunk in scope contains, in order of the query. */
  terms: ScoredTerm[]
  /** Chunks that contain at least one term, unordered. */
  chunks: Int32Array
  /** By chunk; includes the page's share. */
  scores: Float64Array
}

const bodyField = 2

/** Inverse document frequency; always positive, as in Lucene's BM25. */
export function rarityWeight(chunkCount: number, total: number): number {
  return Math.log(1 + (total - chunkCount + 0.5) / (chunkCount + 0.5))
}

/**
 * Scores every chunk in scope that contains a term: the sum of each field's BM25, plus a share of the page's BM25.
 *
 * Fields are summed, not merged, because a word in both title and text is worth more than the same word twice in the
 * text. The page counts, because a section rarely repeats what its page is about.
 *
 * @param buffer The result is valid until it is used again.
 * @param synonyms Count where their term is missing.
 */
export function scoreChunks(
  index: IndexFile,
  scope: SearchScope,
  terms: readonly QueryTerm[],
  weights: RankingWeights,
  buffer = createScoreBuffer(index.chunkPages.length, index.pages.length),
  synonyms: readonly Synonyms[] = [],
): ChunkScores {
  clearScores(buffer)
  const found: ScoredTerm[] = []
  for (const term of terms) {
    const chunkCount = countVisible(index, scope, term.term)
    const record = index.getTerm(term.term)
    if (!record || chunkCount === 0) continue
    const idf = rarityWeight(chunkCount, scope.visible.count) * term.weight
    found.push({ ...term, id: record.id, chunkCount, idf })
    decodePostings(record, scope.wanted, index.postingsBuffer)
    addTermScores(index, scope, weights, idf, { scores: buffer.own, list: buffer.found })
    addPageScores(index, scope, weights, idf, buffer.pages)
  }
  addSynonyms(index, scope, weights, synonyms, buffer)
  addSurroundings(index, weights, buffer)
  return { terms: found, chunks: buffer.found.chunks.subarray(0, buffer.found.length), scores: buffer.totals }
}

/** Gives chunks that lack a word a share of what its synonyms are worth there, which is at most what the word would be. */
function addSynonyms(
  index: IndexFile,
  scope: SearchScope,
  weights: RankingWeights,
  synonyms: readonly Synonyms[],
  { own: scores, synonyms: worth, found, withSynonyms: list }: ScoreBuffer,
): void {
  for (const { term, relatives } of synonyms) {
    const records = relatives.map((relative) => ({ relative, record: index.getTerm(relative) }))
    // Decoding is most of the work.
    if (records.every(({ record }) => record === null)) continue
    const own = rarityWeight(countVisible(index, scope, term), scope.visible.count)
    list.length = 0
    for (const { relative, record } of records) {
      if (record === null) continue
      const idf = Math.min(own, rarityWeight(countVisible(index, scope, relative), scope.visible.count))
      decodePostings(record, scope.wanted, index.postingsBuffer)
      addTermScores(index, scope, weights, weights.synonym * idf, { scores: worth, list })
    }
    forgetChunksWith(index, scope, term, worth)
    for (let place = 0; place < list.length; place++) {
      const chunk = list.chunks[place] as number
      const value = worth[chunk] as number
      worth[chunk] = 0
      if (value === 0) continue
      if (scores[chunk] === 0) found.chunks[found.length++] = chunk
      scores[chunk] = (scores[chunk] as number) + Math.min(value, own)
    }
  }
}

function forgetChunksWith(index: IndexFile, scope: SearchScope, term: string, worth: Float64Array): void {
  const record = index.getTerm(term)
  if (!record) return
  decodePostings(record, scope.wanted, index.postingsBuffer)
  const { chunks, length } = index.postingsBuffer
  for (let entry = 0; entry < length; entry++) worth[chunks[entry] as number] = 0
}

/** A chunk's surroundings on its page say what it is about: the page as a whole, and the better neighbour. */
function addSurroundings(
  { chunkPages, pageBoosts }: IndexFile,
  weights: RankingWeights,
  { own: scores, totals, pages: pageScores, found }: ScoreBuffer,
): void {
  for (let place = 0; place < found.length; place++) {
    const chunk = found.chunks[place] as number
    const page = chunkPages[chunk] as number
    const before = chunkPages[chunk - 1] === page ? (scores[chunk - 1] as number) : 0
    const after = chunkPages[chunk + 1] === page ? (scores[chunk + 1] as number) : 0
    const around = weights.neighbour * Math.max(before, after) + weights.page * (pageScores[page] as number)
    totals[chunk] = ((scores[chunk] as number) + around) * (pageBoosts[page] as number)
  }
}

/** Reads the decoded postings of one term. The innermost loop of a search: arrays and numbers only. */
function addTermScores(
  index: IndexFile,
  scope: SearchScope,
  weights: RankingWeights,
  idf: number,
  { scores, list }: { scores: Float64Array; list: ChunkList },
): void {
  const { chunks, counts, length } = index.postingsBuffer
  const { fieldLengths } = index
  const { saturation, lengthPenalty } = weights
  const base = saturation * (1 - lengthPenalty)
  const slopes = scope.averageLengths.map((average) => (saturation * lengthPenalty) / average)
  const factors = weights.fields.map((weight) => weight * idf * (saturation + 1))
  for (let entry = 0; entry < length; entry++) {
    const chunk = chunks[entry] as number
    const offset = fieldOffset(chunk)
    let score = 0
    // Most words are in one field.
    for (let field = 0, rest = counts[entry] as number; rest !== 0; field++, rest >>>= countBits) {
      const count = rest & countMax
      if (count === 0) continue
      const norm = base + (slopes[field] as number) * (fieldLengths[offset + field] as number)
      score += ((factors[field] as number) * count) / (count + norm)
    }
    if (scores[chunk] === 0 && score > 0) list.chunks[list.length++] = chunk
    scores[chunk] = (scores[chunk] as number) + score
  }
}

/** Chunks of a page are adjacent in the postings, so a page's count is a running sum. */
function addPageScores(
  index: IndexFile,
  scope: SearchScope,
  weights: RankingWeights,
  idf: number,
  into: Float64Array,
): void {
  const { chunks, counts, length } = index.postingsBuffer
  const { saturation, lengthPenalty } = weights
  let count = 0
  for (let entry = 0; entry < length; entry++) {
    count += countIn(counts[entry] as number, bodyField)
    const page = index.chunkPages[chunks[entry] as number] as number
    const isLast = entry + 1 === length || index.chunkPages[chunks[entry + 1] as number] !== page
    if (!isLast) continue
    const relativeLength = (scope.pageLengths[page] as number) / scope.averagePageLength
    const norm = saturation * (1 - lengthPenalty + lengthPenalty * relativeLength)
    into[page] = (into[page] as number) + (idf * count * (saturation + 1)) / (count + norm)
    count = 0
  }
}
