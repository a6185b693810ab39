import { findPage } from './find-page.ts'
import type { IndexFile, PageRecord } from '../index-file/index-file.ts'
import { isVisible } from './page-access.ts'
import type { IndexedPage, PageOrigins, Reader } from '../search-query.ts'

/** Null if the reader has no such page. A page that is neither searchable nor listed is shown to nobody here. */
export function readIndexedPage(index: IndexFile, path: string, reader: Reader): IndexedPage | null {
  const found = findServedPage(index, path, reader)
  return found && { ...describePage(found.record), markdown: index.getMarkdown(found.page) }
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
  const page = findPage(index, path, reader, { version: defaultVersion, language: defaultLanguage })
  const record = index.pages[page]
  return record && isServed(record) ? { page, record } : null
}

/** In navigation order. */
export function listIndexedPages(index: IndexFile, reader: Reader): Omit<IndexedPage, 'markdown'>[] {
  return index.pages.filter((page) => isServed(page) && isVisible(page, reader)).map(describePage)
}

const isServed = (page: PageRecord) => page.isListed || page.isSearchable

function describePage(page: PageRecord): Omit<IndexedPage, 'markdown'> {
  const { path, title, description, section, version, language, tag, isListed } = page
  return { path, title, description, section, version, language, tag, isListed }
}
