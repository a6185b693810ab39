import { findPage } from './find-page.ts'
import type { IndexFile } from '../index-file/index-file.ts'
import type { Edition } from './page-access.ts'
import type { SearchQuery } from '../search-query.ts'

const samePageBoost = 1.15
const sameSectionBoost = 1.05
/** Only candidates close to the best are preferred for being near the reader's page. */
const boostedShareMin = 0.3
const repeatedPageDecay = 0.95

export interface Candidate {
  chunk: number
  value: number
}

/** Ties keep the site's order, so that results are stable between runs. */
export const compareCandidates = (one: Candidate, other: Candidate) =>
  other.value - one.value || one.chunk - other.chunk

/** Adds a candidate to the best ones, sorted, unless there are `count` better ones. */
export function insertCandidate<Kind extends Candidate>(best: Kind[], candidate: Kind, count: number): void {
  let place = best.length
  while (place > 0 && compareCandidates(best[place - 1] as Candidate, candidate) > 0) place--
  if (place >= count) return
  best.splice(place, 0, candidate)
  if (best.length > count) best.pop()
}

/**
 * Raises candidates on the reader's page or in its section, because readers mostly ask about the page at hand.
 *
 * @param candidates Best first; changed in place and sorted again.
 */
export function preferCurrentPage(
  index: IndexFile,
  query: SearchQuery,
  candidates: Candidate[],
  edition: Edition,
): void {
  if (query.currentPath === undefined) return
  const current = findPage(index, query.currentPath, query, edition)
  if (current < 0) return
  const section = describeSection(index, current)
  const least = (candidates[0]?.value ?? 0) * boostedShareMin
  for (const candidate of candidates) {
    if (candidate.value < least) continue
    const page = index.chunkPages[candidate.chunk] ?? -1
    if (page === current) candidate.value *= samePageBoost
    else if (section !== null && describeSection(index, page) === section) candidate.value *= sameSectionBoost
  }
  candidates.sort(compareCandidates)
}

/** Null for pages outside every section, which have nothing in common. */
function describeSection(index: IndexFile, page: number): string | null {
  const section = index.pages[page]?.section ?? []
  return section.length > 0 ? section.join('\n') : null
}

/**
 * Takes the best, discounting every further chunk of a page a little, so that one long page does not fill the results.
 *
 * @returns At most `limit`, best first.
 */
export function spreadOverPages(index: IndexFile, candidates: readonly Candidate[], limit: number): Candidate[] {
  const rest = candidates.map(({ chunk, value }) => ({
    chunk,
    value,
    whole: value,
    page: index.chunkPages[chunk] ?? -1,
  }))
  const decays = new Map<number, number>()
  const chosen: Candidate[] = []
  while (chosen.length < limit && rest.length > 0) {
    let place = 0
    for (let other = 1; other < rest.length; other++) if (valueAt(rest, other) > valueAt(rest, place)) place = other
    const [best] = rest.splice(place, 1)
    if (!best) break
    const { chunk, value, page } = best
    chosen.push({ chunk, value })
    const decay = (decays.get(page) ?? 1) * repeatedPageDecay
    decays.set(page, decay)
    for (const one of rest) if (one.page === page) one.value = one.whole * decay
  }
  return chosen
}

const valueAt = (candidates: readonly Candidate[], place: number) => (candidates[place] as Candidate).value
