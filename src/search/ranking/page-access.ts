import type { PageRecord } from '../index-file/index-file.ts'
import type { Reader, SearchFilter } from '../search-query.ts'

/** Whether a page exists for a reader. Denies by default: a reader without groups sees no page that has groups. */
export function isVisible(page: Pick<PageRecord, 'isPublic' | 'groups'>, reader: Reader): boolean {
  if (!page.isPublic && !reader.isSignedIn) return false
  return page.groups.length === 0 || page.groups.some((group) => reader.readerGroups.includes(group))
}

/** Pages that are neither searchable nor listed are shown to nobody. */
export const isServed = (page: Pick<PageRecord, 'isListed' | 'isSearchable'>) => page.isListed || page.isSearchable

/** The reader who sees what everyone does: without an identity or, if the whole site requires one, without groups. */
export function findOpenReader(pages: readonly Pick<PageRecord, 'isPublic'>[]): Reader {
  return { readerGroups: [], isSignedIn: !pages.some(({ isPublic }) => isPublic) }
}

/** A version and language, of which a site shows one at a time. Null does not narrow. */
export interface Edition {
  version: string | null
  language: string | null
}

/** Pages without a version or language belong to every one. */
export function isInEdition(page: Pick<PageRecord, 'version' | 'language'>, edition: Edition): boolean {
  return matchesEdition(page.version, edition.version) && matchesEdition(page.language, edition.language)
}

function matchesEdition(value: string | null, wanted: string | null): boolean {
  return wanted === null || value === null || value.toLowerCase() === wanted.toLowerCase()
}

/** Checks the parts of a filter other than its edition. */
export function matchesFilter(page: PageRecord, filter: SearchFilter): boolean {
  if (filter.tag !== undefined && page.tag !== filter.tag) return false
  if (filter.path !== undefined && page.path !== filter.path) return false
  if (filter.pathPrefix !== undefined && !isBelow(page.path, filter.pathPrefix)) return false
  const { groups } = filter
  return groups === undefined || page.groups.length === 0 || page.groups.some((group) => groups.includes(group))
}

function isBelow(path: string, prefix: string): boolean {
  const base = `/${prefix.replace(/^\/+|\/+$/g, '')}`
  return base === '/' || path === base || path.startsWith(`${base}/`)
}
