import { countBelow } from '../../base/count-below.ts'
import type { IndexFile } from '../index-file/index-file.ts'
import { compareCandidates, insertCandidate, type Candidate } from './order-candidates.ts'
import type { RankingWeights } from './ranking-weights.ts'
import type { ChunkScores } from './score-chunks.ts'

/** Most pages added to the candidates because the query is about them. */
const addedPagesMax = 20

/** Of a query that says the page's name and nothing else: the page itself is meant, so it is shown from its beginning. */
const wholeName = 1

/**
 * Adds the best chunk of pages that the query is about, because pages that only use a word may contain it more often,
 * and the beginning of those that it only names.
 */
export function addTopicPages(
  index: IndexFile,
  { scores }: ChunkScores,
  topics: ReadonlyMap<number, number>,
  candidates: readonly Candidate[],
): Candidate[] {
  const known = new Set(candidates.map(({ chunk }) => index.chunkPages[chunk] ?? -1))
  const chunks = new Set(candidates.map(({ chunk }) => chunk))
  const added: (Candidate & { best: Candidate })[] = []
  for (const [page, value] of topics) {
    const isFull = added.length === addedPagesMax
    if (known.has(page) || (isFull && value < (added.at(-1)?.value ?? 0))) continue
    // Of many pages with the same name, most may be out of scope, and those must not use up the places.
    const best = findBestChunk(index, scores, page)
    if (best !== null) insertCandidate(added, { chunk: page, value, best }, addedPagesMax)
  }
  const all = [...candidates, ...added.map(({ best }) => best)]
  const starts = listStarts(index, topics, all).filter((chunk) => !chunks.has(chunk))
  return [...all, ...starts.map((chunk) => ({ chunk, value: scores[chunk] ?? 0 }))]
}

/** First chunks of the pages of some candidates that the query only names. */
function listStarts(index: IndexFile, topics: ReadonlyMap<number, number>, candidates: readonly Candidate[]): number[] {
  const pages = new Set(candidates.map(({ chunk }) => index.chunkPages[chunk] ?? -1))
  return [...pages]
    .filter((page) => (topics.get(page) ?? 0) >= wholeName)
    .map((page) => countBelow(index.chunkPages, page))
}

/** Null if no chunk of the page is in scope or contains a term. */
export function findBestChunk({ chunkPages }: IndexFile, scores: Float64Array, page: number): Candidate | null {
  let best: Candidate | null = null
  for (let chunk = countBelow(chunkPages, page); chunkPages[chunk] === page; chunk++) {
    const value = scores[chunk] ?? 0
    if (value > (best?.value ?? 0)) best = { chunk, value }
  }
  return best
}

/**
 * Raises the best candidate of each page that the query is about, or the first of one that it only names, by a share of
 * the best score of all: such a page need not repeat its name, so its own score may be low.
 *
 * @param candidates Changed in place and sorted, best first.
 * @returns By chunk: what it has gained.
 */
export function raiseTopics(
  index: IndexFile,
  topics: ReadonlyMap<number, number>,
  weights: RankingWeights,
  candidates: Candidate[],
): Map<number, number> {
  candidates.sort(compareCandidates)
  const raised = new Map<number, number>()
  const top = candidates[0]?.value ?? 0
  const starts = new Set(listStarts(index, topics, candidates))
  const seen = new Set(Array.from(starts, (chunk) => index.chunkPages[chunk] ?? -1))
  for (const candidate of candidates) {
    const page = index.chunkPages[candidate.chunk] ?? -1
    if (seen.has(page) && !starts.has(candidate.chunk)) continue
    seen.add(page)
    const gain = weights.topic * top * (topics.get(page) ?? 0)
    candidate.value += gain
    if (gain > 0) raised.set(candidate.chunk, gain)
  }
  candidates.sort(compareCandidates)
  return raised
}
