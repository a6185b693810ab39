import type { Clock } from '../base/clock.ts'
import type { FileTree } from '../content/trees/file-tree.ts'
import { FindingList } from '../content/finding-list.ts'
import type { Finding } from '../content/site-page.ts'
import { AppError } from '../contract/app-error.ts'
import { resolveBySystem, type ResolveHost } from '../base/address-book.ts'
import type { CrawlLimits } from './crawl-limits.ts'
import { defaultCrawlLimits } from './crawl-limits.ts'
import type { CrawledPage } from './crawl-pages.ts'
import { crawlPages } from './crawl-pages.ts'
import type { CrawlScope } from './crawl-scope.ts'
import { readScope } from './crawl-scope.ts'
import { buildCrawlTree } from './crawl-tree.ts'
import { fetchLlmsTree } from './fetch-llms-tree.ts'
import { fetchSitemaps } from './fetch-sitemaps.ts'
import type { KeptReplyMap } from './kept-replies.ts'
import { everythingAllowed, nothingAllowed, readRobots } from './robots-rules.ts'
import { SiteFetcher } from './site-fetcher.ts'

export interface CrawlOptions {
  /** Where to begin; the crawl stays below its path. */
  url: string
  /** Whether hosts in private networks and unusual ports may be reached: for documentation inside a company. */
  allowsPrivateAddresses: boolean
  clock: Clock
  signal: AbortSignal
  limits?: Partial<CrawlLimits>
  /** Replies of the crawl before: what has not changed is not sent again, and what cannot be had now stays. */
  kept?: KeptReplyMap
  /** How hosts are looked up; the system's way by default. */
  resolve?: ResolveHost
  /** Called after each page with the number of pages that are done and that are known. */
  onProgress?: (done: number, total: number) => void
}

export interface CrawlResult {
  /** Markdown files and a list of their addresses; `readSite` reads it as it reads other trees. */
  tree: FileTree
  findings: Finding[]
  /** For the next crawl of the site. */
  kept: KeptReplyMap
  /** Whether the site has answered at all. */
  hasAnswer: boolean
}

/** The name by which `robots.txt` can address the crawl. */
const crawlerName = 'docentbot'
const userAgent = `Mozilla/5.0 (compatible; ${crawlerName}/1.0)`
const robotsBytesMax = 512 * 1024

/**
 * Fetches a published documentation site. Where the site has `llms-full.txt` with the addresses of its pages, that is the site;
 * else the pages of its sitemap; else what can be reached by links. `robots.txt` is honoured throughout.
 *
 * @throws {AppError} `invalid_request` for an address that is none, or that robots.txt keeps crawls away from.
 * @throws {AbortError} when the signal ends the crawl. Every other failure is a finding, with what was fetched so far.
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
  const { scope, start } = await settleOrigin(fetcher, read, allowsPrivate, limits.pageBytesMax)
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

interface Begin {
  scope: CrawlScope
  start: URL
}

/**
 * A site answers under one origin: people write `http` where it redirects to `https`, or leave out `www`. Any other redirect to
 * another origin is not followed.
 */
async function settleOrigin(
  fetcher: SiteFetcher,
  begin: Begin,
  allowsPrivate: boolean,
  bytesMax: number,
): Promise<Begin> {
  const bare = (host: string) => host.replace(/^www\./, '')
  const isSame = (url: URL) => bare(url.hostname) === bare(begin.start.hostname)
  const outcome = await fetcher.fetch(begin.start, bytesMax, isSame)
  if (outcome.kind === 'failed' || outcome.reply.url.origin === begin.scope.origin) return begin
  const moved = readScope(new URL(begin.start.pathname, outcome.reply.url).href, allowsPrivate)
  return 'fault' in moved ? begin : moved
}

/** A file that is missing allows everything; a server that fails allows nothing until it is well again. */
async function fetchRobots(fetcher: SiteFetcher, start: URL) {
  const outcome = await fetcher.fetch(new URL('/robots.txt', start), robotsBytesMax, (url) => url.host === start.host)
  if (outcome.kind === 'failed') return everythingAllowed
  const { status, text } = outcome.reply
  if (status >= 500) return nothingAllowed
  return status === 200 ? readRobots(text, crawlerName) : everythingAllowed
}
