import type { IndexFile } from '../index-file/index-file.ts'
import { isInEdition, isVisible, type Edition } from './page-access.ts'
import type { Reader } from '../search-query.ts'

/** Strips what people and tools add to a page's path: origin, query, anchor, extension, trailing slash. */
function normalizePagePath(path: string): string {
  const bare = path
    .trim()
    .replace(/^https?:\/\/[^/]*/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/\/+$/, '')
    .replace(/(?:\.(?:mdx?|html?|txt)){1,2}$/i, '')
    .replace(/^\/+/, '')
    .replace(/\/{2,}/g, '/')
  return `/${decodePath(bare)}`
}

/** Where a page may be published: also below the site's base path, or the language that the index leaves out. */
function listSpellings(path: string, basePath = '/'): string[] {
  const base = `/${basePath.replace(/^\/+|\/+$/g, '')}`
  const inSite = base !== '/' && (path === base || path.startsWith(`${base}/`)) ? [path.slice(base.length) || '/'] : []
  const paths = [path, ...inSite]
  const withoutLanguage = paths.flatMap((one) => (startsWithLanguage(one) ? [one.replace(/^\/[^/]+/, '') || '/'] : []))
  return [...paths, ...withoutLanguage].flatMap((one) => [one, one.replace(/\/index$/, '') || '/'])
}

/** Made for the first path that needs it: loading the names takes 10 ms. */
let languageNames: Intl.DisplayNames | null = null

function startsWithLanguage(path: string): boolean {
  const [, tag] = /^\/([a-z]{2,3}(?:-[a-z]{2,4})?)(?:\/|$)/i.exec(path) ?? []
  if (tag === undefined) return false
  languageNames ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  return languageNames.of(tag) !== undefined
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * The page of a path for this reader, or -1. If versions or languages share the path, that of the given edition wins,
 * else the first.
 */
export function findPage(index: IndexFile, path: string, reader: Reader, edition: Edition): number {
  const spellings = listSpellings(normalizePagePath(path), index.header.basePath)
  const isVisiblePage = (page: number) => {
    const record = index.pages[page]
    return record !== undefined && isVisible(record, reader)
  }
  // Pages that the reader may not see must not hide others.
  const found = spellings.map((one) => index.pagesByPath.get(one)?.filter(isVisiblePage) ?? [])
  const visible = found.find((pages) => pages.length > 0) ?? []
  const preferred = visible.find((page) => {
    const record = index.pages[page]
    return record !== undefined && isInEdition(record, edition)
  })
  return preferred ?? visible[0] ?? -1
}
