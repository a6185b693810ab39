import type { PageRecord } from '../index-file/index-file.ts'
import type { Reader, SearchFilter } from '../search-query.ts'

/** Whether a page exists for a reader. Denies by default: no group named means no page with groups. */
export function isVisible(page: PageRecord, reader: Reader): boolean {
  if (!page.isPublic && !reader.isSignedIn) return false
  return page.groups.length === 0 || page.groups.some((group) => reader.readerGroups.includes(group))
}

/** A part of a site of which one is shown at a time. Null does not narrow. */
export interface Edition {
  version: string | null
  language: string | null
}

/** Pages outside all versions and languages belong to each. */
export function isInEdition(page: PageRecord, edition: Edition): boolean {
  return matchesEdition(page.version, edition.version) && matchesEdition(page.language, edition.language)
}

function matchesEdition(value: string | null, wanted: string | null): boolean {
  return wanted === null || value === null || value.toLowerCase() === wanted.toLowerCase()
}

/** The parts of a filter that leave the edition as it is. */
export function matchesFilter(page: PageRecord, filter: SearchFilter): boolean {
  if (filter.tag !== undefined && page.tag !== filter.tag) return false
  if (filter.pathPrefix !== undefined && !isBelow(page.path, filter.pathPrefix)) return false
  const { groups } = filter
  return groups === undefined || page.groups.length === 0 || page.groups.some((group) => groups.includes(group))
}

function isBelow(path: string, prefix: string): boolean {
  const base = `/${prefix.replace(/^\/+|\/+$/g, '')}`
  return base === '/' || path === base || path.startsWith(`${base}/`)
}
