import type { SearchResult } from '../contract/search.ts'
import type { Passage } from '../search/search-query.ts'
import { pageHref } from './site-url.ts'

/** A passage as shown to clients, in search replies and in the search tool of an answer. */
export function toSearchResult(site: { url: string }, passage: Passage): SearchResult {
  const { content, path, anchor, title, description, score, headings, version, language, alternatives } = passage
  const metadata = { title, description, href: pageHref(site, path, anchor), score, headings, version, language }
  return { content, path, metadata: alternatives === undefined ? metadata : { ...metadata, alternatives } }
}
