import { findPage } from './find-page.ts'
import type { IndexFile, PageRecord } from '../index-file/index-file.ts'
import { isVisible } from './page-access.ts'
import type { IndexedPage, Reader } from '../search-query.ts'

/** Null if the reader has no such page. A page that is neither searchable nor listed is shown to nobody here. */
export function readIndexedPage(index: IndexFile, path: string, reader: Reader): IndexedPage | null {
  const { defaultVersion, defaultLanguage } = index.header
  const page = findPage(index, path, reader, { version: defaultVersion, language: defaultLanguage })
  const record = index.pages[page]
  if (!record || !isServed(record)) return null
  return { ...describePage(record), markdown: index.getMarkdown(page) }
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
