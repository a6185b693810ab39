import { followRedirect } from './find-address.ts'
import { findPage } from '../ranking/find-page.ts'
import type { IndexFile, PageRecord } from '../index-file/index-file.ts'
import { isServed, isVisible } from '../ranking/page-access.ts'
import type { IndexedPage, ListedPage, PageOrigins, Reader } from '../search-query.ts'

/** Null if the reader has no such page, also by the redirects of the documentation. */
export function readIndexedPage(index: IndexFile, path: string, reader: Reader): IndexedPage | null {
  const found = findServedPage(index, path, reader)
  return (
    found && {
      ...describePage(index, found.record),
      markdown: index.getMarkdown(found.page),
      images: index.getImages(found.page),
    }
  )
}

/** Where the blocks of the page come from that `readIndexedPage` returns. */
export function readPageOrigins(index: IndexFile, path: string, reader: Reader): PageOrigins | null {
  const found = findServedPage(index, path, reader)
  if (found === null) return null
  const { file } = found.record
  return { ...(file === null ? {} : { file }), origins: index.getOrigins(found.page) }
}

function findServedPage(index: IndexFile, path: string, reader: Reader): { page: number; record: PageRecord } | null {
  const { defaultVersion, defaultLanguage } = index.header
  const find = (wanted: string) => {
    const page = findPage(index, wanted, reader, { version: defaultVersion, language: defaultLanguage })
    const record = index.pages[page]
    return record && isServed(record) ? { page, record } : null
  }
  const found = find(path)
  if (found !== null) return found
  const redirected = followRedirect(index, path, reader)
  return redirected?.kind === 'page' ? find(redirected.path) : null
}

/** In navigation order. */
export function listIndexedPages(index: IndexFile, reader: Reader): ListedPage[] {
  return index.pages
    .filter((page) => isServed(page) && isVisible(page, reader))
    .map((page) => describePage(index, page))
}

function describePage({ changedAt }: IndexFile, page: PageRecord): ListedPage {
  const { path, title, description, section, version, language, tag, isListed, file } = page
  const at = file === null ? undefined : changedAt.get(file)
  const known = at === undefined ? {} : { changedAt: at }
  return { path, title, description, section, version, language, tag, isListed, ...known }
}
