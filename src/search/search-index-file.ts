import { listRelatives } from '../base/text-analysis/word-families.ts'
import { hideHeadingIds } from '../content/markdown/heading-anchors.ts'
import type { IndexFile, PageRecord } from './index-file/index-file.ts'
import { collapseCopies, type Copies } from './ranking/collapse-copies.ts'
import { measureProximity } from './ranking/measure-proximity.ts'
import { countReadTerms, readTerms, type ReadTerms } from './ranking/count-terms.ts'
import { listCallTerms } from './index-file/call-terms.ts'
import { findNamedStopWords } from './ranking/find-named-stop-words.ts'
import { measureTopics } from './ranking/measure-topics.ts'
import { addTopicPages, raiseTopics } from './ranking/raise-topics.ts'
import { isKnown } from './ranking/find-closest-term.ts'
import { fuseRanks } from './ranking/fuse-ranks.ts'
import { insertCandidate, preferCurrentPage, spreadOverPages, type Candidate } from './ranking/order-candidates.ts'
import { queryCharsMax, type QueryTerm } from './query-terms.ts'
import { rankingWeights, type RankingWeights } from './ranking/ranking-weights.ts'
import { scoreChunks, rarityWeight, type ChunkScores, type ScoredTerm, type Synonyms } from './ranking/score-chunks.ts'
import type { FoundPassages, Passage, SearchQuery } from './search-query.ts'
import { getScope, resolveEdition, type SearchScope } from './ranking/search-scope.ts'
import type { NearChunk, VectorIndex } from './vectors/vector-index.ts'

const passagesMax = 50
/** Number of top-scored chunks that are reranked. */
const candidatesMax = 60
/** Depth to which each ranking is fused. */
const fusedMax = 50
/** Pasted programs contain many calls. */
const callsMax = 16
/** Slots are bytes. */
const nearTermsMax = 255
/**
 * The share of a query's weight at which the score is one half: most questions that a corpus answers are above it, most
 * that it does not answer below.
 */
const halfScoreShare = 0.9

/** The query's vector, and the vectors of the file to compare it with. */
export interface QueryMeaning {
  vectors: VectorIndex
  question: Float32Array
}

export interface SearchOptions {
  weights?: RankingWeights
  /** Null or absent: the search uses words alone. */
  meaning?: QueryMeaning | null
}

/** The intermediate results of a search, for explanations; `scored` until the next search. */
export interface SearchRun {
  scope: SearchScope
  read: ReadTerms
  terms: QueryTerm[]
  scored: ChunkScores
  near: NearChunk[]
  copies: Copies
  /** What chunks have gained because their page is the topic. */
  raised: ReadonlyMap<number, number>
  /** Including the proximity of the query's words; best first. */
  byWords: readonly Candidate[]
  /** By words and, if available, meaning; best first. */
  fused: readonly Candidate[]
  /** With the reader's page preferred; best first. */
  preferred: readonly Candidate[]
  /** Diversified over pages. */
  chosen: Candidate[]
  score: Score
}

/** Answers one query from an open file. Synchronous; takes a few milliseconds for a hundred thousand chunks. */
export function searchIndexFile(index: IndexFile, query: SearchQuery, options: SearchOptions = {}): Passage[] {
  return listPassages(index, query, runSearch(index, query, options))
}

/** Finds passages for an answer, which may need both kinds of search. */
export function searchAndCount(index: IndexFile, query: SearchQuery, options: SearchOptions = {}): FoundPassages {
  const run = runSearch(index, query, options)
  return { passages: listPassages(index, query, run), termCounts: countReadTerms(index, run.scope, run.read) }
}

/** Where the passages of a search are, without reading them; best first. */
export function listPlaces(index: IndexFile, query: SearchQuery): Pick<Passage, 'path' | 'score'>[] {
  return rateChosen(query, runSearch(index, query)).map(({ chunk, score }) => {
    return { path: index.pages[index.chunkPages[chunk] ?? 0]?.path ?? '', score }
  })
}

function listPassages(index: IndexFile, query: SearchQuery, run: SearchRun): Passage[] {
  return rateChosen(query, run).map(({ chunk, score }) => makePassage(index, chunk, score, run.copies))
}

/** Those that reach the query's threshold: reading a passage takes longer than finding it. */
function rateChosen({ scoreThreshold = 0 }: SearchQuery, { chosen, score }: SearchRun) {
  const rated = chosen.map((candidate) => ({ chunk: candidate.chunk, score: score(candidate) }))
  return rated.filter((candidate) => candidate.score >= scoreThreshold)
}

export function runSearch(index: IndexFile, query: SearchQuery, options: SearchOptions = {}): SearchRun {
  const { weights = rankingWeights, meaning = null } = options
  const edition = resolveEdition(index, query)
  const scope = getScope(index, query, edition)
  const read = readTerms(index, scope, query.text, edition)
  const terms = [...read.meant.terms, ...listKnownCalls(index, scope, query.text)]
  const synonyms = listSynonyms(query, terms)
  const scored = scoreChunks(index, scope, terms, weights, index.scoreBuffer, synonyms)
  const allNear = findNear(index, scope, meaning)
  const stopWords = findNamedStopWords(index, scope, query.text, edition.language)
  const topics = measureTopics(index, scored.terms, stopWords)
  const leaders = takeBest(scored, candidatesMax)
  const leading = [...leaders, ...allNear].map(({ chunk }) => index.chunkPages[chunk] ?? -1)
  const copies = collapseCopies({ index, query, edition, scored, pages: [...leading, ...topics.keys()] })
  const dropped = new Set([...copies.values()].flat())
  const isKept = (chunk: number) => !dropped.has(index.chunkPages[chunk] ?? -1)
  const isDecided = leaders.every(({ chunk }) => isKept(chunk))
  const best = isDecided ? leaders : takeBest({ ...scored, chunks: scored.chunks.filter(isKept) }, candidatesMax)
  const near = allNear.filter(({ chunk }) => isKept(chunk))
  for (const page of dropped) topics.delete(page)
  const { byWords, raised } = rankCandidates({ index, scored, best, topics, weights, near })
  const wholeWeight = sumQueryWeight(scope, terms, scored.terms)
  const score = near.length === 0 ? scoreWords(wholeWeight) : scoreBoth(byWords, near, wholeWeight)
  const fused =
    meaning === null || near.length === 0
      ? byWords
      : fuseCandidates(byWords, near, meaning.vectors.header.fusion.weight)
  const preferred = query.currentPath === undefined ? fused : fused.map((candidate) => ({ ...candidate }))
  preferCurrentPage(index, query, preferred, edition)
  const limit = Math.min(passagesMax, Math.max(1, Math.floor(query.limit)))
  const chosen = spreadOverPages(index, preferred, limit)
  return { scope, read, terms, scored, copies, near, raised, byWords, fused, preferred, chosen, score }
}

/** Drops calls that no chunk in scope contains; the called name is a term itself. */
function listKnownCalls(index: IndexFile, scope: SearchScope, text: string): QueryTerm[] {
  const calls = new Set(listCallTerms(text.slice(0, queryCharsMax)))
  const known = Array.from(calls).filter((call) => isKnown(index, scope, call))
  return known.slice(0, callsMax).map((term) => ({ term, word: -1, weight: 1, naming: 0 }))
}

/** Answers need the page that says it in other words; readers who search see and change their own. */
function listSynonyms({ isForAnswer = false }: SearchQuery, terms: readonly QueryTerm[]): Synonyms[] {
  if (!isForAnswer) return []
  const asked = new Set(terms.map(({ term }) => term))
  return terms.map(({ term }) => ({ term, relatives: [...listRelatives(term)].filter((one) => !asked.has(one)) }))
}

/** Compares only what the reader may see and the filter selects. */
function findNear(index: IndexFile, { wanted }: SearchScope, meaning: QueryMeaning | null): NearChunk[] {
  if (meaning === null) return []
  const weigh = (chunk: number) => index.pages[index.chunkPages[chunk] as number]?.boostFactor ?? 1
  return meaning.vectors.findNearest(meaning.question, wanted, fusedMax, weigh)
}

/** Fuses by rank. @param weight Of meaning: see `Fusion`. */
export function fuseCandidates(byWords: readonly Candidate[], near: readonly NearChunk[], weight: number): Candidate[] {
  const found = byWords.filter(({ value }) => value > 0).slice(0, fusedMax)
  return fuseRanks([
    { chunks: found.map(({ chunk }) => chunk), weight: 1 },
    { chunks: near.map(({ chunk }) => chunk), weight },
  ])
}

interface RankInput {
  index: IndexFile
  scored: ChunkScores
  /** The best by words, in order. */
  best: readonly Candidate[]
  topics: ReadonlyMap<number, number>
  weights: RankingWeights
  near: readonly NearChunk[]
}

function rankCandidates({ index, scored, best, topics, weights, near }: RankInput) {
  const byWords = addNear(addTopicPages(index, scored, topics, best), scored, near)
  addProximity(index, scored.terms.slice(0, nearTermsMax), weights, byWords)
  const raised: ReadonlyMap<number, number> = raiseTopics(index, topics, weights, byWords)
  return { byWords, raised }
}

/** Proximity needs the words of a chunk in order, so it is measured only for the best. */
function addProximity(
  index: IndexFile,
  terms: readonly ScoredTerm[],
  weights: RankingWeights,
  candidates: readonly Candidate[],
): void {
  if (terms.length < 2) return
  const slots = index.termSlots
  terms.forEach((term, place) => (slots[term.id] = place + 1))
  for (const candidate of candidates) {
    const boost = index.pageBoosts[index.chunkPages[candidate.chunk] ?? 0] ?? 1
    candidate.value += weights.proximity * boost * measureProximity(index.getTokenRow(candidate.chunk), terms, slots)
  }
  for (const term of terms) slots[term.id] = 0
}

/** Passages found by meaning also get the score of their words, however low. */
function addNear(best: Candidate[], { scores }: ChunkScores, near: readonly NearChunk[]): Candidate[] {
  if (near.length === 0) return best
  const known = new Set(best.map(({ chunk }) => chunk))
  const added = near.filter(({ chunk }) => !known.has(chunk))
  return [...best, ...added.map(({ chunk }) => ({ chunk, value: scores[chunk] ?? 0 }))]
}

/** One pass with a short list of leaders: sorting a hundred thousand scores would cost more than computing them. */
export function takeBest({ chunks, scores }: ChunkScores, count: number): Candidate[] {
  const leaders: Candidate[] = []
  let least = -Infinity
  for (const chunk of chunks) {
    const value = scores[chunk] ?? 0
    if (value < least) continue
    insertCandidate(leaders, { chunk, value }, count)
    if (leaders.length >= count) least = leaders.at(-1)?.value ?? 0
  }
  return leaders
}

export function makePassage(index: IndexFile, chunk: number, score: number, copies: Copies): Passage {
  const number = index.chunkPages[chunk] ?? 0
  const page = index.pages[number] as PageRecord // Every chunk was written with its page.
  const { anchor, headings, text, origins } = index.getChunk(chunk)
  const { path, title, description, version, language, file } = page
  const passage = {
    path,
    anchor,
    title,
    description,
    headings,
    content: hideHeadingIds(text),
    version,
    language,
    ...(file === null ? {} : { file }),
    origins,
    score,
  }
  const alternatives = (copies.get(number) ?? []).flatMap((copy) => index.pages[copy]?.path ?? [])
  return alternatives.length === 0 ? passage : { ...passage, alternatives }
}

/**
 * The query's total weight: the rarity of all its terms, including those that no chunk contains, because they reveal an
 * unanswerable question. Half an unknown term is added, so that a single common word that matches does not look like a
 * full answer.
 */
function sumQueryWeight(scope: SearchScope, terms: readonly QueryTerm[], found: readonly ScoredTerm[]): number {
  const unknown = rarityWeight(0, scope.visible.count)
  const known = new Map(found.map((term) => [term.term, term.idf / term.weight]))
  return terms.reduce((sum, { term }) => sum + (known.get(term) ?? unknown), unknown / 2)
}

type Score = (candidate: Candidate) => number

const scoreWords =
  (wholeWeight: number): Score =>
  ({ value }) =>
    squashScore(value / wholeWeight)

/**
 * The better of the scores by words and by meaning, because a passage close in meaning need not contain any word of the
 * query. A similarity like that of neighbours on a page scores one half, so that a score means the same with and
 * without vectors.
 */
function scoreBoth(byWords: readonly Candidate[], near: readonly NearChunk[], wholeWeight: number): Score {
  const scores = new Map(byWords.map(({ chunk, value }) => [chunk, squashScore(value / wholeWeight)]))
  for (const { chunk, similarity } of near) {
    scores.set(chunk, Math.max(scores.get(chunk) ?? 0, similarity / (similarity + 1)))
  }
  return ({ chunk }) => scores.get(chunk) ?? 0
}

const squashScore = (share: number) => share / (share + halfScoreShare)
