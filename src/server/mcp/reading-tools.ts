import type { ContentBlock } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { pathCharsMax, queryCharsMax } from '../../contract/search.ts'
import type { IndexedPage, ListedPage } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { toSearchResult } from '../../sites/search-result.ts'
import { makeLinksAbsolute, pageHref } from '../../sites/site-url.ts'
import { readSearchFilter } from '../resources/search-filter.ts'
import { createTool, type McpCall } from './mcp-tool.ts'
import { describePageResource } from './page-resources.ts'

const resultsDefault = 5
const resultsMax = 20
/** Passages below it share hardly a word with the query. */
const usefulScoreMin = 0.3
/** Twenty passages of this length fit a context of modest size. */
const passageCharsMax = 3_000
/** About ten thousand tokens; longer pages are read in parts. */
const pagePartCharsMax = 40_000
const pagesPerListMax = 500

export const version = z
  .string()
  .max(200)
  .optional()
  .describe('Only pages of this version; without it, the default version.')
export const language = z
  .string()
  .max(200)
  .optional()
  .describe('Only pages of this language, such as "fr"; without it, the default language.')
const offset = z.number().int().min(0).default(0)

export const searchTool = createTool({
  name: 'search',
  title: 'Search the documentation',
  description:
    'Searches the documentation of this site and returns the passages that fit best, best first. Names of functions, settings and error codes may be given as they are written.',
  input: z.object({
    query: z.string().trim().min(1).max(queryCharsMax).describe('What to look for, in words of the documentation.'),
    version,
    language,
    limit: z.number().int().min(1).max(resultsMax).default(resultsDefault).describe('Most passages to return.'),
  }),
  output: z.object({
    results: z.array(
      z.object({
        title: z.string(),
        path: z.string().describe('For read_page.'),
        href: z.string().describe('For people: the address of the passage.'),
        headings: z.array(z.string()).describe('Where on the page, outermost first.'),
        score: z.number().describe('0 to 1; from about 0.5 on, the passage answers to the words of the query.'),
        content: z.string().describe('Markdown.'),
        isCut: z.boolean().describe('True when the passage goes on: read the page for the rest.'),
      }),
    ),
  }),
  async run({ site, reader, consumeUse, recordVisit, signal }, { query, limit, ...edition }) {
    await consumeUse()
    const passages = await site.index.search(
      { text: query, limit, filter: readSearchFilter(edition), ...reader },
      signal,
    )
    const isInVain = passages.every(({ score }) => score < usefulScoreMin)
    recordVisit('search', isInVain ? query : '', isInVain)
    const results = passages.map((passage) => {
      const { path, content: relative, metadata } = toSearchResult(site, passage)
      const { title, href, headings, score } = metadata
      const content = makeLinksAbsolute(site, relative)
      const { part, end } = cutText(content, 0, passageCharsMax)
      return { title, path, href, headings, score, content: part, isCut: end < content.length }
    })
    const texts = results.map(
      ({ title, href, path, content, isCut }) =>
        `Title: ${title}\nLink: ${href}\nPage: ${path}\nContent: ${content}${isCut ? `\n(The passage goes on: read_page ${path})` : ''}`,
    )
    const nothing = 'Nothing on this site fits the query. Try other words, or look through the pages with list_pages.'
    const links = passages.map((passage): ContentBlock => ({
      type: 'resource_link',
      ...describePageResource(site, passage),
    }))
    return { texts: texts.length === 0 ? [nothing] : texts, links, structured: { results } }
  },
})

export const readPageTool = createTool({
  name: 'read_page',
  title: 'Read a page',
  description: `Returns a page as Markdown. Pages over ${pagePartCharsMax} characters come in parts: read on with nextOffset.`,
  input: z.object({
    path: z
      .string()
      .min(1)
      .max(pathCharsMax)
      .describe('Path of the page as search and list_pages give it, or its link.'),
    offset: offset.describe('Character of the page to begin at; 0 is its beginning.'),
  }),
  output: z.object({
    path: z.string(),
    title: z.string(),
    description: z.string(),
    href: z.string(),
    markdown: z.string(),
    charsTotal: z.number().int().describe('Length of the whole page.'),
    nextOffset: z.number().int().nullable().describe('Where to read on; null at the end of the page.'),
  }),
  async run(call, { path, offset }) {
    const { site, consumeUse } = call
    const page = await findCalledPage(call, path)
    // A missing page must not count, so look it up before consuming the limit.
    call.recordVisit('read', page?.path ?? stripSiteUrl(site, path), page === null)
    if (page === null) return { fault: await describeMissing(call, path) }
    const { title, description } = page
    // Before the page is cut, so that offsets count the characters that are sent.
    const text = makeLinksAbsolute(site, page.markdown)
    const charsTotal = text.length
    if (offset > 0 && offset >= charsTotal) {
      return { fault: `The page ${page.path} has ${charsTotal} characters. Give an offset below that.` }
    }
    await consumeUse()
    const { part: markdown, end } = cutText(text, offset, pagePartCharsMax)
    const nextOffset = end < charsTotal ? end : null
    const href = pageHref(site, page.path, null)
    const more = nextOffset === null ? '' : `\n\n(${end} of ${charsTotal} characters. Read on with offset ${end}.)`
    return {
      texts: [`Title: ${title}\nLink: ${href}\nPage: ${page.path}\n\n${markdown}${more}`],
      structured: { path: page.path, title, description, href, markdown, charsTotal, nextOffset },
    }
  },
})

export const listPagesTool = createTool({
  name: 'list_pages',
  title: 'List the pages',
  description: `Lists the pages of the site in the order of its navigation, ${pagesPerListMax} at a time.`,
  input: z.object({
    version,
    language,
    under: z.string().max(pathCharsMax).optional().describe('Only this page and those below it, such as "/guides".'),
    offset: offset.describe('Pages to skip; take nextOffset of the call before.'),
  }),
  output: z.object({
    pages: z.array(
      z.object({
        title: z.string(),
        path: z.string().describe('For read_page.'),
        section: z.array(z.string()).describe('Titles of the navigation around the page, outermost first.'),
      }),
    ),
    pagesTotal: z.number().int(),
    nextOffset: z.number().int().nullable().describe('Null when this is the end of the list.'),
  }),
  async run({ site, reader, consumeUse, recordVisit, signal }, { offset, ...wanted }) {
    await consumeUse()
    recordVisit('list', '', false)
    const listed = (await site.index.listPages(reader, signal)).filter((page) => isWanted(site, page, wanted))
    const pages = listed
      .slice(offset, offset + pagesPerListMax)
      .map(({ title, path, section }) => ({ title, path, section }))
    const end = offset + pages.length
    const nextOffset = end < listed.length ? end : null
    const lines = pages.map(({ title, path, section }) => `- ${[...section, title].join(' › ')}: ${path}`)
    const more = nextOffset === null ? [] : [`(${end} of ${listed.length} pages. Read on with offset ${end}.)`]
    const nothing = 'There is no such page. Leave out version, language, under and offset to see all pages.'
    return {
      texts: [lines.length === 0 ? nothing : [...lines, ...more].join('\n')],
      structured: { pages, pagesTotal: listed.length, nextOffset },
    }
  },
})

/** Cuts a text without splitting a character. Also returns where the part ends. */
function cutText(text: string, start: number, charsMax: number): { part: string; end: number } {
  const from = isInsideCharacter(text, start) ? start - 1 : start
  const wanted = Math.min(text.length, from + charsMax)
  const end = isInsideCharacter(text, wanted) ? wanted - 1 : wanted
  return { part: text.slice(from, end), end }
}

/** Characters beyond the basic plane take two code units. */
function isInsideCharacter(text: string, place: number): boolean {
  return place > 0 && place < text.length && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(place - 1, place + 1))
}

/** @param path Of the page, or its link; also one that certainly means the page, as after a move. */
export async function findCalledPage({ site, reader, signal }: McpCall, path: string): Promise<IndexedPage | null> {
  const wanted = stripSiteUrl(site, path)
  const page = await site.index.readPage(wanted, reader, signal)
  if (page !== null) return page
  const found = await site.index.findAddress(wanted, reader, signal)
  return found.kind === 'page' ? site.index.readPage(found.path, reader, signal) : null
}

/** Names the nearest pages that the reader may see. */
export async function describeMissing({ site, reader, signal }: McpCall, path: string): Promise<string> {
  const found = await site.index.findAddress(stripSiteUrl(site, path), reader, signal)
  const missing = `There is no page ${path}.`
  if (found.kind === 'elsewhere') return `${missing} It has moved to ${found.url}`
  const near = found.kind === 'unknown' ? found.near.slice(0, 5) : []
  if (near.length === 0) return `${missing} Find the right path with search or list_pages.`
  const lines = near.map(({ path, title }) => `- ${path}: ${title}`)
  return `${missing} The nearest pages are:\n${lines.join('\n')}\nOr find the right path with search or list_pages.`
}

/** Links include the path that the site is served under; page paths do not. */
function stripSiteUrl(site: LiveSite, path: string): string {
  return path === site.url || path.startsWith(`${site.url}/`) ? path.slice(site.url.length) || '/' : path
}

interface WantedPages {
  version?: string | undefined
  language?: string | undefined
  under?: string | undefined
}

function isWanted(site: LiveSite, page: ListedPage, wanted: WantedPages): boolean {
  const { defaultVersion, defaultLanguage } = site.index.header
  return (
    page.isListed &&
    isOfEdition(page.version, wanted.version ?? defaultVersion) &&
    isOfEdition(page.language, wanted.language ?? defaultLanguage) &&
    isBelow(page.path, wanted.under)
  )
}

/** Pages outside all versions or languages belong to each. */
function isOfEdition(value: string | null, wanted: string | null): boolean {
  return value === null || wanted === null || value.toLowerCase() === wanted.toLowerCase()
}

function isBelow(path: string, under: string | undefined): boolean {
  const base = `/${(under ?? '').replace(/^\/+|\/+$/g, '')}`
  return base === '/' || path === base || path.startsWith(`${base}/`)
}
