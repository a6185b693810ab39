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
  const rest = [...candidates]
  const decays = new Map<number, number>()
  const chosen: Candidate[] = []
  while (chosen.length < limit && rest.length > 0) {
    const values = rest.map(({ chunk, value }) => value * (decays.get(index.chunkPages[chunk] ?? -1) ?? 1))
    const value = Math.max(...values)
    const [best] = rest.splice(values.indexOf(value), 1)
    if (!best) break
    const page = index.chunkPages[best.chunk] ?? -1
    chosen.push({ chunk: best.chunk, value })
    decays.set(page, (decays.get(page) ?? 1) * repeatedPageDecay)
  }
  return chosen
}
