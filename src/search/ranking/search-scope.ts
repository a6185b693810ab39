import { guessOtherLanguage } from '../../base/text-analysis/guess-language.ts'
import { BoundedCache } from '../../base/bounded-cache.ts'
import { makeChunkSet, type ChunkSet } from '../index-file/chunk-set.ts'
import { findPage } from './find-page.ts'
import { fieldOffset, type IndexFile, type PageRecord } from '../index-file/index-file.ts'
import { isInEdition, isVisible, matchesFilter, type Edition } from './page-access.ts'
import { decodePostings, fieldCount } from '../index-file/postings.ts'
import type { Reader, SearchFilter, SearchQuery } from '../search-query.ts'

/**
 * The chunks that a query searches, and the statistics for its ranking.
 *
 * Statistics cover all pages of the edition that the reader may see, regardless of the rest of the filter: hidden pages
 * have no influence, and a passage scores alike in a narrow and a wide search.
 */
export interface SearchScope {
  /** What the reader may see in the edition: the basis of the statistics. */
  visible: ChunkSet
  /** The part of it that the filter selects: what may be found. The same object if that is everything. */
  wanted: ChunkSet
  /** Cache of how many visible chunks contain a term. */
  chunkCounts: BoundedCache<number>
  /** By field. */
  averageLengths: number[]
  /** Number of body terms, by page. */
  pageLengths: Float64Array
  averagePageLength: number
}

/**
 * The version and language that a query is about: its filter's, else those of the reader's page, else the language it
 * is written in if the site has it, else the site's defaults.
 */
export function resolveEdition(
  index: IndexFile,
  query: Reader & { text?: string; filter?: SearchFilter; currentPath?: string },
): Edition {
  const { defaultVersion, defaultLanguage } = index.header
  const named = { version: query.filter?.version ?? null, language: query.filter?.language ?? null }
  const usual = { version: named.version ?? defaultVersion, language: named.language ?? defaultLanguage }
  const current =
    query.currentPath === undefined ? undefined : index.pages[findPage(index, query.currentPath, query, usual)]
  return {
    version: named.version ?? current?.version ?? defaultVersion,
    language: named.language ?? current?.language ?? findAskedLanguage(index, query) ?? defaultLanguage,
  }
}

function findAskedLanguage({ header, pages }: IndexFile, query: Reader & { text?: string }): string | null {
  const asked = header.defaultLanguage === null ? null : guessOtherLanguage(query.text ?? '')
  if (asked === null) return null
  const isAsked = ({ language }: PageRecord) => language?.toLowerCase().split(/[-_]/)[0] === asked
  return pages.find((page) => isAsked(page) && isVisible(page, query))?.language ?? null
}

const scopesKeptBytes = 16_000_000
const scopesByIndex = new WeakMap<IndexFile, BoundedCache<SearchScope>>()

export function getScope(index: IndexFile, query: SearchQuery, edition: Edition): SearchScope {
  const key = getScopeKey(query, edition)
  let scopes = scopesByIndex.get(index)
  if (!scopes) scopesByIndex.set(index, (scopes = new BoundedCache(scopesKeptBytes)))
  const known = scopes.get(key)
  if (known) return known
  const scope = makeScope(index, query, edition)
  scopes.set(key, scope, scope.visible.mask.length * 10 + scope.pageLengths.length * 8)
  return scope
}

/** Equal keys have equal scopes. */
function getScopeKey(query: SearchQuery, edition: Edition): string {
  const { tag, groups, pathPrefix, path } = query.filter
  return JSON.stringify([edition, query.isSignedIn, [...query.readerGroups].sort(), tag, groups, pathPrefix, path])
}

/**
 * Whether the site has the version and language in the filter, as far as this reader may know. Pages without a version
 * belong to every version that the site has, but not to others.
 */
export function hasNamedEdition(index: IndexFile, query: SearchQuery): boolean {
  const { version, language } = query.filter
  const has = (isNamed: (page: IndexFile['pages'][number]) => boolean) =>
    index.pages.some((page) => isNamed(page) && isVisible(page, query))
  return (
    (version === undefined || has((page) => page.version === version)) &&
    (language === undefined || has((page) => page.language === language))
  )
}

const countedTermsMax = 5_000

export function makeScope(index: IndexFile, query: SearchQuery, edition: Edition): SearchScope {
  const canMatch = hasNamedEdition(index, query)
  const visiblePages = Uint8Array.from(index.pages, (page) =>
    Number(page.isSearchable && isVisible(page, query) && isInEdition(page, edition)),
  )
  const wantedPages = visiblePages.map((isVisible, page) =>
    Number(isVisible === 1 && canMatch && matchesFilter(index.pages[page] as PageRecord, query.filter)),
  )
  const visible = makeChunkSet(spreadOverChunks(index, visiblePages))
  const wanted = makeChunkSet(spreadOverChunks(index, wantedPages))
  return {
    visible,
    wanted: wanted.count === visible.count ? visible : wanted,
    chunkCounts: new BoundedCache(countedTermsMax),
    ...measureLengths(index, visible),
  }
}

/** Without the spare numbers. */
function spreadOverChunks(index: IndexFile, byPage: Uint8Array): Uint8Array {
  return Uint8Array.from(index.chunkPages, (page, chunk) => (index.hasChunk(chunk) ? (byPage[page] as number) : 0))
}

function measureLengths(
  index: IndexFile,
  visible: ChunkSet,
): Pick<SearchScope, 'averageLengths' | 'pageLengths' | 'averagePageLength'> {
  const sums = Array.from({ length: fieldCount }, () => 0)
  const pageLengths = new Float64Array(index.pages.length)
  index.chunkPages.forEach((page, chunk) => {
    if (visible.mask[chunk] === 0) return
    const offset = fieldOffset(chunk)
    for (let field = 0; field < fieldCount; field++)
      sums[field] = (sums[field] ?? 0) + (index.fieldLengths[offset + field] ?? 0)
    pageLengths[page] = (pageLengths[page] ?? 0) + (index.fieldLengths[offset + 2] ?? 0)
  })
  const pageCount = pageLengths.reduce((count, length) => count + (length > 0 ? 1 : 0), 0)
  return {
    averageLengths: sums.map((sum) => Math.max(1, sum / Math.max(1, visible.count))),
    pageLengths,
    averagePageLength: Math.max(1, (sums[2] ?? 0) / Math.max(1, pageCount)),
  }
}

/** How many chunks of the edition that the reader may see contain a term. */
export function countVisible(index: IndexFile, scope: SearchScope, term: string): number {
  const record = index.getTerm(term)
  if (!record || scope.visible.count === index.header.chunkCount) return record?.chunkCount ?? 0
  const known = scope.chunkCounts.get(term)
  if (known !== undefined) return known
  decodePostings(record, scope.visible, index.postingsBuffer)
  const count = index.postingsBuffer.length
  scope.chunkCounts.set(term, count, 1)
  return count
}
