import { BoundedCache } from './bounded-cache.ts'
import type { IndexFile, PageRecord } from './index-file.ts'
import { measureProximity } from './measure-proximity.ts'
import { mendMistypedWords } from './mend-mistyped-words.ts'
import { compareCandidates, preferCurrentPage, spreadOverPages, type Candidate } from './order-candidates.ts'
import { listQueryTerms, type QueryTerm } from './query-terms.ts'
import { rankingWeights, type RankingWeights } from './ranking-weights.ts'
import { scoreChunks, weighRarity, type ChunkScores, type ScoredTerm } from './score-chunks.ts'
import type { Passage, SearchQuery } from './search-query.ts'
import { getScopeKey, makeScope, resolveEdition, type SearchScope } from './search-scope.ts'

const passagesMax = 50
/** Chunks that are looked at closely after all have been scored. */
const candidatesMax = 60
/** Fits the slots, which are bytes. */
const nearTermsMax = 255
/** The share of a query's weight at which a score is one half: most questions that a corpus answers lie above, most that it does not below. */
const halfScoreShare = 0.9
const scopesKeptBytes = 16_000_000
const scopesByIndex = new WeakMap<IndexFile, BoundedCache<SearchScope>>()

/** Answers one query from an open file. Synchronous; a few milliseconds for a hundred thousand chunks. */
export function searchIndexFile(index: IndexFile, query: SearchQuery, weights = rankingWeights): Passage[] {
  const edition = resolveEdition(index, query)
  const scope = getScope(index, getScopeKey(query, edition), () => makeScope(index, query, edition))
  const { terms } = mendMistypedWords(index, scope, listQueryTerms(query.text, edition.language))
  const scored = scoreChunks(index, scope, terms, weights)
  const candidates = rankCandidates(index, scored, weights)
  preferCurrentPage(index, query, candidates, edition)
  const limit = Math.min(passagesMax, Math.max(1, Math.floor(query.limit)))
  const wholeWeight = sumQueryWeight(scope, terms, scored.terms)
  return spreadOverPages(index, candidates, limit)
    .map(({ chunk, value }) => makePassage(index, chunk, squashScore(value / wholeWeight)))
    .filter((passage) => passage.score >= (query.scoreThreshold ?? 0))
}

function getScope(index: IndexFile, key: string, make: () => SearchScope): SearchScope {
  let scopes = scopesByIndex.get(index)
  if (!scopes) scopesByIndex.set(index, (scopes = new BoundedCache(scopesKeptBytes)))
  const known = scopes.get(key)
  if (known) return known
  const scope = make()
  scopes.set(key, scope, scope.visible.mask.length * 10 + scope.pageLengths.length * 8)
  return scope
}

/** Nearness needs the words of a chunk in order, so it is measured for the best only. */
function rankCandidates(index: IndexFile, scored: ChunkScores, weights: RankingWeights): Candidate[] {
  const best = takeBest(scored, candidatesMax)
  const terms = scored.terms.slice(0, nearTermsMax)
  if (terms.length < 2) return best
  const slots = index.termSlots
  terms.forEach((term, place) => (slots[term.id] = place + 1))
  for (const candidate of best) {
    const boost = index.pages[index.chunkPages[candidate.chunk] ?? 0]?.boost ?? 1
    candidate.value += weights.proximity * boost * measureProximity(index.getTokenRow(candidate.chunk), terms, slots)
  }
  for (const term of terms) slots[term.id] = 0
  return best.sort(compareCandidates)
}

/** One pass with a short list of leaders: sorting a hundred thousand scores would cost more than making them. */
function takeBest({ chunks, scores }: ChunkScores, count: number): Candidate[] {
  const leaders: Candidate[] = []
  let least = 0
  for (const chunk of chunks) {
    const value = scores[chunk] ?? 0
    if (leaders.length >= count && value < least) continue
    const candidate = { chunk, value }
    const place = leaders.findLastIndex((leader) => compareCandidates(leader, candidate) < 0) + 1
    leaders.splice(place, 0, candidate)
    if (leaders.length > count) leaders.pop()
    least = leaders.at(-1)?.value ?? 0
  }
  return leaders
}

function makePassage(index: IndexFile, chunk: number, score: number): Passage {
  const page = index.pages[index.chunkPages[chunk] ?? 0] as PageRecord // Every chunk was written with its page.
  const { anchor, headings, text } = index.getChunk(chunk)
  const { path, title, description, version, language } = page
  return { path, anchor, title, description, headings, content: text, version, language, score }
}

/**
 * What the query weighs: the rarity of all its terms, those included that nothing holds, because they are what an
 * unanswerable question is recognised by. Half an unknown word is added, so that one common word that matches does not
 * look like a full answer.
 */
function sumQueryWeight(scope: SearchScope, terms: readonly QueryTerm[], found: readonly ScoredTerm[]): number {
  const unknown = weighRarity(0, scope.visible.count)
  const known = new Map(found.map((term) => [term.term, term.idf / term.weight]))
  return terms.reduce((sum, { term }) => sum + (known.get(term) ?? unknown), unknown / 2)
}

const squashScore = (share: number) => share / (share + halfScoreShare)
