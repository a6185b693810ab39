import type { Clock } from '../base/clock.ts'
import type { FileTree } from '../content/trees/file-tree.ts'
import { FindingList } from '../content/finding-list.ts'
import type { Finding } from '../content/site-page.ts'
import { AppError } from '../contract/app-error.ts'
import { resolveBySystem, type ResolveHost } from '../base/address-book.ts'
import { type CrawlLimits, defaultCrawlLimits } from './crawl-limits.ts'
import { type CrawledPage, crawlPages } from './crawl-pages.ts'
import { type CrawlScope, readScope, resolveInScope } from './crawl-scope.ts'
import { fetchSitemaps } from './fetch-sitemaps.ts'
import type { CachedReplyMap } from './reply-cache.ts'
import { everythingAllowed, nothingAllowed, readRobots } from './robots-rules.ts'
import { SiteFetcher } from './site-fetcher.ts'
import { type ListedPage, createListedTree, withoutFrontmatter } from '../content/formats/crawl/page-list.ts'
import { pagePathOfUrl, splitLlmsFull } from '../content/formats/llms-text/split-llms-text.ts'
import { createLlmsTree } from '../content/formats/llms-text/plan-llms-text-site.ts'
import type { CrawlContext } from './crawl-context.ts'

export interface CrawlOptions {
  /** Start address. The crawl stays below its path. */
  url: string
  /** Whether private networks and unusual ports are allowed: for documentation inside a company. */
  allowsPrivateAddresses: boolean
  clock: Clock
  signal: AbortSignal
  limits?: Partial<CrawlLimits>
  /** Responses of the previous crawl: unchanged pages are not sent again, and unavailable ones stay. */
  kept?: CachedReplyMap
  /** Default: the system's resolver. */
  resolve?: ResolveHost
  /** Called after each page with the number of pages done and known. */
  onProgress?: (done: number, total: number) => void
}

export interface CrawlResult {
  /** Markdown files and a list of their addresses, in the form that `readSite` reads. */
  tree: FileTree
  findings: Finding[]
  /** For the next crawl of the site. */
  kept: CachedReplyMap
  /** Whether the site responded at all. */
  hasAnswer: boolean
}

/** The user agent that `robots.txt` can address. */
const crawlerName = 'docentbot'
const userAgent = `Mozilla/5.0 (compatible; ${crawlerName}/1.0)`
const robotsBytesMax = 512 * 1024

/**
 * Fetches a published documentation site. The source is `llms-full.txt` if it gives page addresses, else the pages of the
 * sitemap, else whatever links lead to. `robots.txt` is honoured throughout.
 *
 * @throws {AppError} `invalid_request` for an invalid address, or one that robots.txt disallows.
 * @throws {AbortError} when the signal ends the crawl. Every other failure is a finding, with whatever was fetched so far.
 */
export async function crawlSite(options: CrawlOptions): Promise<CrawlResult> {
  const { url, allowsPrivateAddresses: allowsPrivate, clock, signal } = options
  const read = readScope(url, allowsPrivate)
  if ('fault' in read) throw new AppError('invalid_request', read.fault)
  const limits = { ...defaultCrawlLimits, ...options.limits }
  const findings = new FindingList()
  const resolve = options.resolve ?? resolveBySystem
  const kept = options.kept ?? new Map()
  const fetcher = new SiteFetcher({ userAgent, limits, allowsPrivate, clock, resolve, signal, kept })
  const { scope, start } = await resolveOrigin(fetcher, read, allowsPrivate, limits.pageBytesMax)
  fetcher.rules = await fetchRobots(fetcher, start)
  if (!fetcher.rules.isAllowed(start.pathname)) {
    const message = `The robots.txt of ${start.host} asks crawlers to stay away from ${start.pathname}. Allow the user agent ${crawlerName} there.`
    throw new AppError('invalid_request', message)
  }
  const context = { fetcher, scope, limits, findings, signal }
  const written = await fetchLlmsTree(context)
  const endWith = (tree: FileTree): CrawlResult => {
    return { tree, findings: findings.list(), kept: fetcher.kept.list(), hasAnswer: fetcher.hasAnswer }
  }
  if (written !== null) return endWith(written)
  const seeds = await fetchSitemaps(context)
  const pages: CrawledPage[] = await crawlPages({
    ...context,
    start,
    seeds,
    onProgress: options.onProgress ?? (() => {}),
  })
  return endWith(buildCrawlTree(pages, start))
}

interface CrawlStart {
  scope: CrawlScope
  start: URL
}

/**
 * Finds the origin that the site answers from: people type `http` where it redirects to `https`, or leave out `www`. Other
 * cross-origin redirects are not followed.
 */
async function resolveOrigin(
  fetcher: SiteFetcher,
  begin: CrawlStart,
  allowsPrivate: boolean,
  bytesMax: number,
): Promise<CrawlStart> {
  const bare = (host: string) => host.replace(/^www\./, '')
  const isSame = (url: URL) => bare(url.hostname) === bare(begin.start.hostname)
  const outcome = await fetcher.fetch(begin.start, bytesMax, isSame)
  if (outcome.kind === 'failed' || outcome.reply.url.origin === begin.scope.origin) return begin
  const moved = readScope(new URL(begin.start.pathname, outcome.reply.url).href, allowsPrivate)
  return 'fault' in moved ? begin : moved
}

/** A missing file allows everything; a failing server allows nothing until it recovers. */
async function fetchRobots(fetcher: SiteFetcher, start: URL) {
  const outcome = await fetcher.fetch(new URL('/robots.txt', start), robotsBytesMax, (url) => url.host === start.host)
  if (outcome.kind === 'failed') return everythingAllowed
  const { status, text } = outcome.reply
  if (status >= 500) return nothingAllowed
  return status === 200 ? readRobots(text, crawlerName) : everythingAllowed
}

/**
 * Turns crawled pages into a file tree for `readSite`: one Markdown file per page, at its path, and the list of pages. The
 * same pages yield the same revision.
 */
function buildCrawlTree(pages: readonly CrawledPage[], start: URL): FileTree {
  const files = new Map<string, string>()
  const listed = new Map<string, ListedPage>()
  const languages = countLanguages(pages)
  for (const page of pages) {
    const path = pagePathOfUrl(page.url.href)
    if (listed.has(path)) continue
    const file = `pages${path === '/' ? '/index' : path}.md`
    files.set(file, withoutFrontmatter(page.markdown))
    const { title, description } = page
    listed.set(path, {
      file,
      path,
      title,
      description,
      section: [],
      language: languages.length > 1 ? page.language : null,
    })
  }
  const first = pages.find(({ url }) => pagePathOfUrl(url.href) === pagePathOfUrl(start.href))
  return createListedTree(files, {
    kind: 'crawl',
    name: first?.title ?? '',
    description: first?.description ?? '',
    language: languages.length > 1 ? (languages[0] ?? null) : null,
    pages: [...listed.values()],
  })
}

/** Languages of the pages, most common first. */
function countLanguages(pages: readonly CrawledPage[]): string[] {
  const counts = new Map<string, number>()
  for (const { language } of pages) if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1]).map(([language]) => language)
}

/** With fewer pages the file is a stub, and the pages themselves say more. */
const pagesMin = 2

/**
 * The site as described by its `llms-full.txt`; null if there is none that gives page addresses. Only pages in scope count.
 */
async function fetchLlmsTree(context: CrawlContext): Promise<FileTree | null> {
  const { scope, limits, fetcher } = context
  const base = new URL(`${scope.origin}${scope.prefix}/`)
  const full = await fetchText(context, new URL('llms-full.txt', base))
  if (full === null) return null
  const pages = splitLlmsFull(full)
    .filter(({ url }) => url !== null)
    .filter(({ url, path }) => {
      return resolveInScope(url ?? '', base, scope) !== null && fetcher.rules.isAllowed(path)
    })
  if (pages.length < pagesMin) return null
  if (pages.length > limits.pagesMax) {
    const message = `The site has more than ${limits.pagesMax} pages; the rest is left out. Split it by paths.`
    context.findings.add({ file: 'llms-full.txt', line: null, rule: 'crawl-limit-reached', message })
  }
  return createLlmsTree(pages.slice(0, limits.pagesMax), await fetchText(context, new URL('llms.txt', base)))
}

async function fetchText({ fetcher, scope, limits }: CrawlContext, url: URL): Promise<string | null> {
  if (!fetcher.rules.isAllowed(url.pathname)) return null
  const outcome = await fetcher.fetch(url, limits.textBytesMax, (target) => target.origin === scope.origin)
  if (outcome.kind === 'failed' || outcome.reply.status !== 200) return null
  return outcome.reply.contentType === 'text/html' ? null : outcome.reply.text
}
