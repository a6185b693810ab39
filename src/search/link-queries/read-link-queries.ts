import type { IndexFile } from '../index-file/index-file.ts'
import { listLinkQueries, type LinkQueries } from './list-link-queries.ts'

/** The link queries of an indexed site, as its searches are asked by default. Reads the text of every page. */
export function readLinkQueries(index: IndexFile, limit: number): LinkQueries {
  const { defaultVersion, defaultLanguage } = index.header
  const pages = index.pages.map((page, place) => ({
    ...page,
    // Not all texts at once.
    get markdown() {
      return index.getMarkdown(place)
    },
  }))
  return listLinkQueries(pages, { version: defaultVersion, language: defaultLanguage }, limit)
}
