import { analyzeText } from '../../base/text-analysis/analyze-text.ts'
import type { IndexFile } from '../index-file/index-file.ts'
import { findPage } from './find-page.ts'
import type { Edition } from './page-access.ts'
import { findBestChunk } from './raise-topics.ts'
import type { ChunkScores } from './score-chunks.ts'
import type { SearchQuery } from '../search-query.ts'

/** A copy that fits the query worse than this share of the best one has lost what the query asks for. */
const scoreShareMin = 0.8

interface CollapseInput {
  index: IndexFile
  query: SearchQuery
  edition: Edition
  scored: ChunkScores
  /** Pages that may be results: only among these does a choice matter. */
  pages: readonly number[]
}

/** Pages left out because another one says the same, by the page that replaces them. */
export type Copies = ReadonlyMap<number, readonly number[]>

/**
 * Chooses one page of each group that says the same; otherwise five dialects of one page fill the first five places.
 *
 * It is the one that the query names ("… in Python"), else the one nearest to the reader's page, else the first in the
 * site's order: never an arbitrary one. A copy that lacks what the query asks for is not chosen.
 */
export function collapseCopies({ index, query, edition, scored, pages }: CollapseInput): Copies {
  if (index.copiesByPage.size === 0) return new Map()
  const groups = new Set(
    pages.flatMap((page) => {
      const group = index.copiesByPage.get(page)
      return group === undefined ? [] : [group]
    }),
  )
  if (groups.size === 0) return new Map()
  const current = query.currentPath === undefined ? -1 : findPage(index, query.currentPath, query, edition)
  const currentPath = index.pages[current]?.path ?? query.currentPath ?? ''
  const asked = new Set(scored.terms.map(({ term }) => term))
  const copies = new Map<number, readonly number[]>()
  for (const group of groups) {
    const found = group
      .map((page) => ({ page, score: findBestChunk(index, scored.scores, page)?.value ?? 0 }))
      .filter(({ score }) => score > 0)
    if (found.length < 2) continue
    const scoreMin = Math.max(...found.map(({ score }) => score)) * scoreShareMin
    const [best] = found
      .filter(({ score }) => score >= scoreMin)
      .map(({ page }) => ({
        page,
        named: countNamed(index, page, asked),
        shared: countShared(index.pages[page]?.path ?? '', currentPath),
      }))
      .sort((one, other) => other.named - one.named || other.shared - one.shared || one.page - other.page)
    if (best)
      copies.set(
        best.page,
        found.map(({ page }) => page).filter((page) => page !== best.page),
      )
  }
  return copies
}

/** How many terms of the query are in the page's path. */
function countNamed({ pages }: IndexFile, page: number, asked: ReadonlySet<string>): number {
  const { path = '', language = null } = pages[page] ?? {}
  const terms = analyzeText(path.replaceAll('/', ' '), language).map(({ term }) => term)
  return new Set(terms.filter((term) => asked.has(term))).size
}

/** How many first parts two paths share. */
function countShared(one: string, other: string): number {
  const [parts, others] = [one.split('/'), other.split('/')]
  const end = parts.findIndex((part, place) => part !== others[place])
  return end < 0 ? parts.length : end
}
