import { findPage } from './find-page.ts'
import { fieldOffset, type IndexFile } from './index-file.ts'
import { isInEdition, isVisible, matchesFilter, type Edition } from './page-access.ts'
import { fieldCount } from './postings.ts'
import type { Reader, SearchFilter, SearchQuery } from './search-query.ts'

/** Values of `SearchScope.mask`. */
export const chunkHidden = 0
export const chunkCounted = 1
export const chunkWanted = 2

/**
 * The chunks that a query is about, and the statistics of its ranking.
 *
 * Statistics come from all pages that the reader may see in the edition, whatever else the filter says: a hidden page
 * changes nothing, and a passage scores alike in a narrow and a wide search.
 */
export interface SearchScope {
  mask: Uint8Array
  chunkCount: number
  /** By field. */
  averageLengths: number[]
  /** Body terms of every page, by page. */
  pageLengths: Float64Array
  averagePageLength: number
}

/**
 * The version and language that a query is about: what its filter names, else those of the page that the reader is on,
 * else the site's defaults.
 */
export function resolveEdition(
  index: IndexFile,
  query: Reader & { filter?: SearchFilter; currentPath?: string },
): Edition {
  const { defaultVersion, defaultLanguage } = index.header
  const named = { version: query.filter?.version ?? null, language: query.filter?.language ?? null }
  const usual = { version: named.version ?? defaultVersion, language: named.language ?? defaultLanguage }
  if (query.currentPath === undefined) return usual
  const current = index.pages[findPage(index, query.currentPath, query, usual)]
  return {
    version: named.version ?? current?.version ?? defaultVersion,
    language: named.language ?? current?.language ?? defaultLanguage,
  }
}

/** Equal keys have equal scopes. */
export function getScopeKey(query: SearchQuery, edition: Edition): string {
  const { tag, groups, pathPrefix } = query.filter
  return JSON.stringify([edition, query.isSignedIn, [...query.readerGroups].sort(), tag, groups, pathPrefix])
}

/**
 * Whether the site has the version and language that the filter names, as far as this reader may know. Pages without a
 * version belong to every version of the site, but not to one that it does not have.
 */
function hasNamedEdition(index: IndexFile, query: SearchQuery): boolean {
  const { version, language } = query.filter
  const has = (isNamed: (page: IndexFile['pages'][number]) => boolean) =>
    index.pages.some((page) => isNamed(page) && isVisible(page, query))
  return (
    (version === undefined || has((page) => page.version === version)) &&
    (language === undefined || has((page) => page.language === language))
  )
}

export function makeScope(index: IndexFile, query: SearchQuery, edition: Edition): SearchScope {
  const canMatch = hasNamedEdition(index, query)
  const classes = Uint8Array.from(index.pages, (page) => {
    if (!page.isSearchable || !isVisible(page, query) || !isInEdition(page, edition)) return chunkHidden
    return canMatch && matchesFilter(page, query.filter) ? chunkWanted : chunkCounted
  })
  const mask = new Uint8Array(index.chunkPages.length)
  const sums = Array.from({ length: fieldCount }, () => 0)
  const pageLengths = new Float64Array(index.pages.length)
  let chunkCount = 0
  index.chunkPages.forEach((page, chunk) => {
    const value = (mask[chunk] = classes[page] ?? chunkHidden)
    if (value === chunkHidden) return
    chunkCount++
    const offset = fieldOffset(chunk)
    for (let field = 0; field < fieldCount; field++)
      sums[field] = (sums[field] ?? 0) + (index.fieldLengths[offset + field] ?? 0)
    pageLengths[page] = (pageLengths[page] ?? 0) + (index.fieldLengths[offset + 2] ?? 0)
  })
  const pageCount = pageLengths.reduce((count, length) => count + (length > 0 ? 1 : 0), 0)
  return {
    mask,
    chunkCount,
    averageLengths: sums.map((sum) => Math.max(1, sum / Math.max(1, chunkCount))),
    pageLengths,
    averagePageLength: Math.max(1, (sums[2] ?? 0) / Math.max(1, pageCount)),
  }
}
