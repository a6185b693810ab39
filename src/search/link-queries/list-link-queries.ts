import { createHash } from 'node:crypto'
import { type Edition, findOpenReader, isInEdition, isVisible } from '../ranking/page-access.ts'
import type { PageRecord } from '../index-file/index-file.ts'
import { listQueryTerms } from '../query-terms.ts'
import type { Reader } from '../search-query.ts'

/** A page as parsed or as indexed. */
export type LinkingPage = Pick<
  PageRecord,
  'path' | 'title' | 'version' | 'language' | 'groups' | 'isPublic' | 'isSearchable'
> & { readonly markdown: string }

/** What an author called a page, and the page meant. */
export interface LinkQuery {
  text: string
  path: string
}

export interface LinkQueries {
  /** The reader that the queries are asked for: everyone. Hidden pages must not show through what is measured. */
  reader: Reader
  /** In an order that depends on nothing but themselves: each half is a fair sample, and most stay when pages change. */
  queries: LinkQuery[]
}

/** Bounds the work on sites that repeat a menu on every page. */
const linksReadMax = 50_000
/** Otherwise the page that every other one links to decides. */
const perPageMax = 3
/** Every part is bounded, so that a match costs a constant time. */
const linkPattern = /(?<!!)\[([^[\]\n]{2,120})\]\(\/([^()\s#?]{0,500})(?:[#?][^()\s]{0,500})?\)/g

/**
 * Queries whose right answer a site itself states: the texts of its links, each with the page that it leads to. Texts
 * that are the page's title or name several pages are left out.
 *
 * @param edition The version and language that is searched by default.
 */
export function listLinkQueries(all: readonly LinkingPage[], edition: Edition, limit: number): LinkQueries {
  const reader = findOpenReader(all)
  const pages = all.filter((page) => page.isSearchable && isVisible(page, reader) && isInEdition(page, edition))
  const titles = new Map(pages.map(({ path, title }) => [path, describeText(title, edition)]))
  const found = new Map<string, LinkQuery | null>()
  for (const { text, path } of readLinks(pages)) {
    const key = describeText(text, edition)
    if (key === '' || !titles.has(path) || titles.get(path) === key) continue
    const known = found.get(key)
    if (known === undefined) found.set(key, { text, path })
    else if (known?.path !== path) found.set(key, null)
  }
  const queries = Array.from(found.values()).filter((query) => query !== null)
  return { reader, queries: takeSample(queries, limit) }
}

function* readLinks(pages: readonly LinkingPage[]): Generator<LinkQuery> {
  let count = 0
  for (const page of pages) {
    for (const [, words = '', target = ''] of page.markdown.matchAll(linkPattern)) {
      const text = words.replace(/[`*\\]/g, '').trim()
      const path = `/${target.replace(/\/$/, '')}`
      // An address as text says nothing that its page does not.
      if (path !== page.path && !/^(?:https?:|\/)/.test(text)) yield { text, path }
      if (++count >= linksReadMax) return
    }
  }
}

/** Texts that a search cannot tell apart. */
function describeText(text: string, { language }: Edition): string {
  return listQueryTerms(text, language)
    .terms.map(({ term }) => term)
    .join(' ')
}

function takeSample(queries: readonly LinkQuery[], limit: number): LinkQuery[] {
  const counts = new Map<string, number>()
  const hashed = queries.map((query) => ({ query, hash: createHash('sha256').update(query.text).digest('hex') }))
  return hashed
    .sort((one, other) => (one.hash < other.hash ? -1 : 1))
    .map(({ query }) => query)
    .filter(({ path }) => {
      counts.set(path, (counts.get(path) ?? 0) + 1)
      return (counts.get(path) ?? 0) <= perPageMax
    })
    .slice(0, limit)
}
