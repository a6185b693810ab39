import type { Chunk } from '../../src/content/pages/chunk.ts'
import type { SitePage } from '../../src/content/site-page.ts'
import type { IndexInput } from '../../src/search/index-file/build-index-file.ts'
import type { SearchQuery } from '../../src/search/search-query.ts'

/** A page for tests: public, searchable and listed unless it says otherwise. */
export function makeTestPage(path: string, title: string, markdown: string, rest: Partial<SitePage> = {}): SitePage {
  const place = { path, file: `${path.slice(1)}.mdx`, section: [], order: 0, version: null, language: null, tag: null }
  const access = { groups: [], isPublic: true, isSearchable: true, isListed: true }
  return { ...place, ...access, title, description: '', markdown, keywords: [], boost: 1, ...rest }
}

/** One chunk per paragraph. */
export function chunkTestPage({ path, markdown }: SitePage): Chunk[] {
  return markdown
    .split('\n\n')
    .map((text, ordinal) => ({ pagePath: path, ordinal, anchor: `part-${ordinal}`, headings: [], text }))
}

export function makeTestInput(pages: readonly SitePage[], header: Partial<IndexInput['header']> = {}): IndexInput {
  const ordered = pages.map((page, order) => ({ ...page, order }))
  const neutral = { siteName: 'Test', siteDescription: '', revision: 'r1', defaultVersion: null, defaultLanguage: null }
  return { header: { ...neutral, ...header }, pages: ordered, chunkPage: chunkTestPage }
}

export const outsider = { readerGroups: [], isSignedIn: false }

/** A query of someone who is not signed in. */
export function makeTestQuery(text: string, rest: Partial<SearchQuery> = {}): SearchQuery {
  return { text, limit: 10, filter: {}, ...outsider, ...rest }
}
