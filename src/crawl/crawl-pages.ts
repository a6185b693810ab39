import type { CrawlContext } from './crawl-context.ts'
import { resolveInScope } from './crawl-scope.ts'
import { isPageAddress } from './fetch-sitemaps.ts'
import { type HtmlPage, readHtmlPage } from './read-html-page.ts'
import type { FetchedText } from './site-fetcher.ts'
import type { SiteRule } from '../content/finding-rules.ts'

export interface CrawledPage {
  url: URL
  title: string
  description: string
  language: string | null
  markdown: string
}

export interface CrawlPagesInput extends CrawlContext {
  start: URL
  /** Addresses in scope from the sitemaps. If there are any, links are not followed. */
  seeds: readonly URL[]
  onProgress: (done: number, total: number) => void
}

interface Waiting {
  url: URL
  depth: number
}

/** The traversal of one site. Each address is requested once, under whichever name comes up first. */
interface Walk extends CrawlPagesInput {
  waiting: Waiting[]
  seen: Set<string>
  /** By the page's own address. */
  pages: Map<string, CrawledPage>
  /** Link targets of each page, in page order, by the address that was requested. */
  links: Map<string, string[]>
  /** The page that each requested address led to. */
  names: Map<string, string>
  done: number
}

/** Fetches the pages of a site, a few at a time, and reads them. */
export async function crawlPages(input: CrawlPagesInput): Promise<CrawledPage[]> {
  const walk: Walk = {
    ...input,
    waiting: [],
    seen: new Set(),
    pages: new Map(),
    links: new Map(),
    names: new Map(),
    done: 0,
  }
  // Prefer the spelling under which the site answers.
  if (!input.seeds.some((url) => keyOf(url) === keyOf(input.start))) enqueue(walk, input.start, 0)
  for (const url of input.seeds) enqueue(walk, url, 0)
  const running = new Set<Promise<void>>()
  try {
    while (walk.waiting.length > 0 || running.size > 0) {
      const next = running.size < input.limits.concurrencyMax ? walk.waiting.shift() : undefined
      if (next === undefined) await Promise.race(running)
      else {
        const task: Promise<void> = visitPage(walk, next).finally(() => running.delete(task))
        running.add(task)
      }
    }
  } finally {
    await Promise.allSettled(running)
  }
  return sortPages(walk)
}

/**
 * In sitemap order, else in the order in which links lead to them; both say more than the alphabet. Response order would
 * differ from crawl to crawl, and the same site must yield the same tree.
 */
function sortPages({ pages, seeds, start, links, names }: Walk): CrawledPage[] {
  const order = new Map<string, number>()
  const visited = new Set<string>()
  let level = [keyOf(start), ...seeds.map(keyOf)]
  while (level.length > 0) {
    const next: string[] = []
    for (const key of level) {
      if (visited.has(key)) continue
      visited.add(key)
      const name = names.get(key)
      if (name !== undefined && !order.has(name)) order.set(name, order.size)
      next.push(...(links.get(key) ?? []))
    }
    level = next
  }
  const placeOf = ({ url }: CrawledPage) => order.get(keyOf(url)) ?? order.size
  return [...pages.values()].sort((a, b) => placeOf(a) - placeOf(b))
}

/** `/a`, `/a/` and `/a/index.html` are one page. */
function keyOf(url: URL): string {
  return url.pathname.replace(/(?:\/index)?\.html?$/i, '').replace(/\/+$/, '')
}

function enqueue(walk: Walk, url: URL, depth: number): void {
  const key = keyOf(url)
  if (walk.seen.has(key) || depth > walk.limits.depthMax || !isPageAddress(url)) return
  if (!walk.fetcher.rules.isAllowed(url.pathname)) return
  if (walk.seen.size >= walk.limits.pagesMax) {
    report(
      walk,
      walk.start,
      'crawl-limit-reached',
      `The site has more than ${walk.limits.pagesMax} pages; the rest is left out. Split it by paths.`,
    )
    return
  }
  walk.seen.add(key)
  walk.waiting.push({ url, depth })
}

async function visitPage(walk: Walk, { url, depth }: Waiting): Promise<void> {
  const { fetcher, scope, limits } = walk
  const follows = (target: URL) => {
    return resolveInScope(target.href, target, scope) !== null && fetcher.rules.isAllowed(target.pathname)
  }
  const outcome = await fetcher.fetch(url, limits.pageBytesMax, follows)
  const { exhausted } = fetcher
  // The remaining pages are taken from the previous crawl without a request.
  if (exhausted !== null)
    report(walk, walk.start, 'crawl-limit-reached', `Not all pages were fetched, because ${exhausted}.`)
  else if (outcome.kind === 'failed') report(walk, url, 'page-not-fetched', `The page is not read: ${outcome.reason}.`)
  else if (outcome.kind === 'kept')
    report(walk, url, 'page-kept', `The page stays as an earlier crawl got it: ${outcome.reason}.`)
  if (outcome.kind !== 'failed') {
    if (outcome.reply.status === 200) takePage(walk, { asked: url, reply: outcome.reply, depth })
    else report(walk, url, 'page-not-fetched', `The page is not read: the server answered ${outcome.reply.status}.`)
  }
  walk.onProgress(++walk.done, walk.seen.size)
}

interface VisitedPage {
  asked: URL
  reply: FetchedText
  depth: number
}

function takePage(walk: Walk, { asked, reply, depth }: VisitedPage): void {
  const { url, contentType, text, headers } = reply
  const robots = String(headers['x-robots-tag'] ?? '')
  if (/\b(?:noindex|none)\b/i.test(robots)) return
  if (contentType === 'text/markdown' || contentType === 'text/plain') {
    addPage(walk, asked, { url, title: '', description: '', language: null, markdown: text })
    return
  }
  if (contentType !== 'text/html' && contentType !== 'application/xhtml+xml') return
  const page = readHtmlPage(text, (link) => rewriteLink(link, url, walk))
  if (!/\bnofollow\b/i.test(robots)) followLinks(walk, page, { asked, reply, depth })
  if (page.isNoindex) return
  const { title, description, language, markdown } = page
  addPage(walk, asked, { url: canonicalOf(walk, page, url), title, description, language, markdown })
}

/** A sitemap says which pages the site has. */
function followLinks(walk: Walk, page: HtmlPage, { asked, reply, depth }: VisitedPage): void {
  if (walk.seeds.length > 0) return
  const urls = page.links.flatMap((link) => resolveInScope(link, reply.url, walk.scope) ?? [])
  walk.links.set(keyOf(asked), urls.map(keyOf))
  for (const url of urls) enqueue(walk, url, depth + 1)
}

/** The page's canonical address, if in scope, so that duplicates collapse into one page. */
function canonicalOf(walk: Walk, { canonical }: HtmlPage, url: URL): URL {
  const own = canonical === null || canonical === '' ? null : resolveInScope(canonical, url, walk.scope)
  return own ?? url
}

function addPage(walk: Walk, asked: URL, page: CrawledPage): void {
  const key = keyOf(page.url)
  walk.names.set(keyOf(asked), key)
  if (!walk.pages.has(key)) walk.pages.set(key, page)
}

/** Links within the origin become paths, as Markdown links are written here; others stay as they are. */
function rewriteLink(link: string, base: URL, { scope }: Walk): string | null {
  if (link === '') return null
  const url = URL.parse(link, base)
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return null
  if (url.origin !== scope.origin) return url.href
  return `${shortenPath(url.pathname)}${url.search}${url.hash}`
}

/** In the form of page paths. */
function shortenPath(path: string): string {
  return path.replace(/\/index\.html?$/, '/').replace(/(?<=.)\/$/, '')
}

function report(walk: Walk, url: URL, rule: SiteRule, message: string): void {
  walk.findings.add({ file: url.pathname, line: null, rule, message })
}
