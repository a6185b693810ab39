import type { IndexFile, PageRecord } from '../index-file/index-file.ts'
import { compareCandidates } from './order-candidates.ts'
import { isInEdition, isVisible, matchesFilter } from './page-access.ts'
import { fieldCount } from '../index-file/postings.ts'
import type { QueryTerm } from '../query-terms.ts'
import { rankingWeights, type RankingWeights } from './ranking-weights.ts'
import { scoreChunks } from './score-chunks.ts'
import { makePassage, runSearch, type SearchOptions, type SearchRun, takeBest } from '../search-index-file.ts'
import type { ExplainedHit, ExplainedSearch, RemovalReason, SearchFilter, SearchQuery } from '../search-query.ts'
import { hasNamedEdition, makeScope, resolveEdition } from './search-scope.ts'

/** Most terms explained individually; each is scored once per field. */
const termsMax = 24
/** Most chunks searched for excluded pages. */
const removedChunksMax = 60
const removedPagesMax = 20

const fieldNames = ['title', 'headings', 'body', 'path'] as const

/**
 * Runs a search and breaks its scores down. Each part is computed by the scorer itself with all other weights at zero,
 * so that the parts add up to the score.
 */
export function explainSearch(index: IndexFile, query: SearchQuery, options: SearchOptions = {}): ExplainedSearch {
  const { weights = rankingWeights } = options
  const run = runSearch(index, query, options)
  const found = new Set(run.scored.terms.map(({ term }) => term))
  const parts = splitScores(index, run, weights)
  return {
    terms: run.scored.terms.map(({ term, chunkCount, idf, weight }) => ({
      term,
      passages: chunkCount,
      rarity: idf / weight,
      weight,
    })),
    unknownTerms: run.terms.filter(({ term }) => !found.has(term)).map(({ term }) => term),
    hits: run.chosen
      .map((candidate) => explainHit(index, run, parts, candidate.chunk))
      .filter(({ passage }) => passage.score >= (query.scoreThreshold ?? 0)),
    removed: listRemoved(index, query, run, weights),
  }
}

/** Scores by chunk. */
interface ScoreParts {
  byTerm: { term: string; fields: Float64Array[] }[]
  /** Scores of all terms, without the surrounding context. */
  own: Float64Array
  page: Float64Array
  neighbour: Float64Array
}

function splitScores(index: IndexFile, { scope, terms, scored }: SearchRun, weights: RankingWeights): ScoreParts {
  const score = (some: readonly QueryTerm[], changed: Partial<RankingWeights>) =>
    scoreChunks(index, scope, some, { ...weights, ...changed }).scores
  const alone = { page: 0, neighbour: 0 }
  const own = score(terms, alone)
  const withPage = score(terms, { neighbour: 0 })
  const byTerm = scored.terms.slice(0, termsMax).map((term) => ({
    term: term.term,
    fields: fieldNames.map((_, field) => score([term], { ...alone, fields: onlyField(weights, field) })),
  }))
  return { byTerm, own, page: subtract(withPage, own), neighbour: subtract(scored.scores, withPage) }
}

function onlyField({ fields }: RankingWeights, field: number): number[] {
  return Array.from({ length: fieldCount }, (_, place) => (place === field ? (fields[place] ?? 0) : 0))
}

function subtract(one: Float64Array, other: Float64Array): Float64Array {
  return one.map((value, place) => value - (other[place] ?? 0))
}

function explainHit(index: IndexFile, run: SearchRun, parts: ScoreParts, chunk: number): ExplainedHit {
  const { byWords, near, fused, preferred, chosen, scored, raised } = run
  const valueIn = (candidates: readonly { chunk: number; value: number }[]) =>
    candidates.find((candidate) => candidate.chunk === chunk)?.value ?? 0
  const passage = makePassage(index, chunk, run.score({ chunk, value: valueIn(chosen) }), run.copies)
  const nearRank = near.findIndex((each) => each.chunk === chunk)
  const terms = parts.byTerm.map(({ term, fields }) => explainTerm(term, fields, chunk))
  const listed = terms.reduce((sum, { title, headings, body, path }) => sum + title + headings + body + path, 0)
  const value = valueIn(byWords)
  const topic = raised.get(chunk) ?? 0
  return {
    passage,
    words: {
      rank: value > 0 ? byWords.findIndex((each) => each.chunk === chunk) + 1 : null,
      value,
      terms: terms.filter(({ title, headings, body, path }) => title + headings + body + path > 0),
      otherTerms: Math.max(0, (parts.own[chunk] ?? 0) - listed),
      page: parts.page[chunk] ?? 0,
      neighbour: parts.neighbour[chunk] ?? 0,
      proximity: value - (scored.scores[chunk] ?? 0) - topic,
      topic,
    },
    boost: pageOf(index, chunk)?.boostFactor ?? 1,
    meaning: nearRank < 0 ? null : { rank: nearRank + 1, nearness: near[nearRank]?.similarity ?? 0 },
    fused: near.length === 0 ? null : valueIn(fused),
    placeFactor: divide(valueIn(preferred), valueIn(fused)),
    repetitionFactor: divide(valueIn(chosen), valueIn(preferred)),
  }
}

function explainTerm(term: string, fields: readonly Float64Array[], chunk: number) {
  const [title = 0, headings = 0, body = 0, path = 0] = fields.map((scores) => scores[chunk] ?? 0)
  return { term, title, headings, body, path }
}

function divide(value: number, by: number): number {
  return by === 0 ? 1 : value / by
}

function pageOf(index: IndexFile, chunk: number): PageRecord | undefined {
  return index.pages[index.chunkPages[chunk] ?? -1]
}

/** The best of all pages regardless of access, without those that the search was allowed to find. */
function listRemoved(
  index: IndexFile,
  query: SearchQuery,
  { scope, terms }: SearchRun,
  weights: RankingWeights,
): ExplainedSearch['removed'] {
  const everyone = { readerGroups: index.pages.flatMap(({ groups }) => groups), isSignedIn: true }
  const everything = makeScope(index, { ...query, ...everyone, filter: {} }, { version: null, language: null })
  const best = takeBest(scoreChunks(index, everything, terms, weights), removedChunksMax).sort(compareCandidates)
  const pages = new Map<string, ExplainedSearch['removed'][number]>()
  for (const { chunk } of best) {
    const page = pageOf(index, chunk)
    if (page === undefined || scope.wanted.mask[chunk] !== 0 || pages.size >= removedPagesMax) continue
    const key = [page.path, page.version, page.language].join('\n')
    if (!pages.has(key))
      pages.set(key, { path: page.path, title: page.title, reasons: listReasons(index, query, page) })
  }
  return [...pages.values()]
}

function listReasons(index: IndexFile, query: SearchQuery, page: PageRecord): RemovalReason[] {
  const edition = resolveEdition(index, query)
  const { tag, groups, pathPrefix } = query.filter
  const isLeftOutBy = (filter: SearchFilter) => !matchesFilter(page, filter)
  const reasons: [RemovalReason, boolean][] = [
    ['reader', !isVisible(page, query)],
    ['version', !isInEdition(page, { version: edition.version, language: null })],
    ['language', !isInEdition(page, { version: null, language: edition.language })],
    ['tag', tag !== undefined && isLeftOutBy({ tag })],
    ['groups', groups !== undefined && isLeftOutBy({ groups })],
    ['path', pathPrefix !== undefined && isLeftOutBy({ pathPrefix })],
    ['edition-missing', !hasNamedEdition(index, query)],
  ]
  return reasons.filter(([, isLeftOut]) => isLeftOut).map(([reason]) => reason)
}
