import { fieldOffset, type IndexFile } from '../index-file/index-file.ts'
import { decodePostings, fieldCount } from '../index-file/postings.ts'
import { clearScores, createScoreBuffer, type ScoreBuffer } from '../index-file/score-buffer.ts'
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
  chunks: number[]
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
  const result: ChunkScores = { terms: [], chunks: [], scores: buffer.own }
  buffer.chunks = result.chunks
  for (const term of terms) {
    const chunkCount = countVisible(index, scope, term.term)
    const record = index.getTerm(term.term)
    if (!record || chunkCount === 0) continue
    const idf = rarityWeight(chunkCount, scope.visible.count) * term.weight
    result.terms.push({ ...term, id: record.id, chunkCount, idf })
    decodePostings(record, scope.wanted, index.postingsBuffer)
    addTermScores(index, scope, weights, idf, result)
    addPageScores(index, scope, weights, idf, buffer.pages)
  }
  addSynonyms(index, scope, weights, synonyms, result, buffer.synonyms)
  addSurroundings(index, weights, result.chunks, buffer)
  return { ...result, scores: buffer.totals }
}

/** Gives chunks that lack a word a share of what its synonyms are worth there, which is at most what the word would be. */
function addSynonyms(
  index: IndexFile,
  scope: SearchScope,
  weights: RankingWeights,
  synonyms: readonly Synonyms[],
  into: ChunkScores,
  worth: Float64Array,
): void {
  for (const { term, relatives } of synonyms) {
    const own = rarityWeight(countVisible(index, scope, term), scope.visible.count)
    const found: number[] = []
    for (const relative of relatives) {
      const record = index.getTerm(relative)
      if (!record) continue
      const idf = Math.min(own, rarityWeight(countVisible(index, scope, relative), scope.visible.count))
      decodePostings(record, scope.wanted, index.postingsBuffer)
      addTermScores(index, scope, weights, weights.synonym * idf, { chunks: found, scores: worth })
    }
    for (const chunk of listChunksWith(index, scope, term)) worth[chunk] = 0
    for (const chunk of found) {
      const value = worth[chunk] as number
      worth[chunk] = 0
      if (value === 0) continue
      if (into.scores[chunk] === 0) into.chunks.push(chunk)
      into.scores[chunk] = (into.scores[chunk] as number) + Math.min(value, own)
    }
  }
}

function listChunksWith(index: IndexFile, scope: SearchScope, term: string): Int32Array | readonly number[] {
  const record = index.getTerm(term)
  if (!record) return []
  decodePostings(record, scope.wanted, index.postingsBuffer)
  const { chunks, length } = index.postingsBuffer
  return chunks.subarray(0, length)
}

/** A chunk's surroundings on its page say what it is about: the page as a whole, and the better neighbour. */
function addSurroundings(
  { chunkPages, pages }: IndexFile,
  weights: RankingWeights,
  chunks: readonly number[],
  { own: scores, totals, pages: pageScores }: ScoreBuffer,
): void {
  for (const chunk of chunks) {
    const page = chunkPages[chunk] as number
    const before = chunkPages[chunk - 1] === page ? (scores[chunk - 1] as number) : 0
    const after = chunkPages[chunk + 1] === page ? (scores[chunk + 1] as number) : 0
    const around = weights.neighbour * Math.max(before, after) + weights.page * (pageScores[page] as number)
    totals[chunk] = ((scores[chunk] as number) + around) * (pages[page]?.boostFactor ?? 1)
  }
}

/** Reads the decoded postings of one term. The innermost loop of a search: arrays and numbers only. */
function addTermScores(
  index: IndexFile,
  scope: SearchScope,
  weights: RankingWeights,
  idf: number,
  into: Pick<ChunkScores, 'chunks' | 'scores'>,
): void {
  const { chunks, counts, length } = index.postingsBuffer
  const { fieldLengths } = index
  const { scores } = into
  const { saturation, lengthPenalty } = weights
  const base = saturation * (1 - lengthPenalty)
  const slopes = scope.averageLengths.map((average) => (saturation * lengthPenalty) / average)
  const factors = weights.fields.map((weight) => weight * idf * (saturation + 1))
  for (let entry = 0; entry < length; entry++) {
    const chunk = chunks[entry] as number
    const offset = fieldOffset(chunk)
    let score = 0
    for (let field = 0; field < fieldCount; field++) {
      const count = counts[entry * fieldCount + field] as number
      if (count === 0) continue
      const norm = base + (slopes[field] as number) * (fieldLengths[offset + field] as number)
      score += ((factors[field] as number) * count) / (count + norm)
    }
    if (scores[chunk] === 0 && score > 0) into.chunks.push(chunk)
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
    count += counts[entry * fieldCount + bodyField] as number
    const page = index.chunkPages[chunks[entry] as number] as number
    const isLast = entry + 1 === length || index.chunkPages[chunks[entry + 1] as number] !== page
    if (!isLast) continue
    const relativeLength = (scope.pageLengths[page] as number) / scope.averagePageLength
    const norm = saturation * (1 - lengthPenalty + lengthPenalty * relativeLength)
    into[page] = (into[page] as number) + (idf * count * (saturation + 1)) / (count + norm)
    count = 0
  }
}
