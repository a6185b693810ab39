import type { IndexFile } from '../index-file/index-file.ts'
import { isInEdition, isVisible, type Edition } from './page-access.ts'
import type { Reader } from '../search-query.ts'

/** Strips what people and tools add to a page's path: origin, query, anchor, extension, trailing slash. */
function normalizePagePath(path: string): string {
  const bare = path
    .trim()
    .replace(/^https?:\/\/[^/]*/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/\.mdx?$/i, '')
    .replace(/^\/+|\/+$/g, '')
  return `/${decodePath(bare)}`
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
  const normalized = normalizePagePath(path)
  const candidates =
    index.pagesByPath.get(normalized) ?? index.pagesByPath.get(normalized.replace(/\/index$/, '') || '/') ?? []
  const visible = candidates.filter((page) => {
    const record = index.pages[page]
    return record !== undefined && isVisible(record, reader)
  })
  const preferred = visible.find((page) => {
    const record = index.pages[page]
    return record !== undefined && isInEdition(record, edition)
  })
  return preferred ?? visible[0] ?? -1
}
