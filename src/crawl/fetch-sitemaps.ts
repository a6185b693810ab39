import type { CrawlContext } from './crawl-context.ts'
import { resolveInScope } from './crawl-scope.ts'
import { readSitemap } from './read-sitemap.ts'

/** Extensions of files that are not pages. */
const otherFile =
  /\.(?:pdf|zip|gz|tgz|png|jpe?g|gif|svg|webp|avif|ico|mp[34]|webm|css|m?js|json|xml|ya?ml|woff2?|ttf|exe|dmg|rss|atom)$/i

export function isPageAddress(url: URL): boolean {
  return !otherFile.test(url.pathname)
}

/**
 * The addresses in scope that the site's sitemaps list, in order. A sitemap index may list others of the same origin; each
 * is read once, up to a limit, so that circular references end.
 */
export async function fetchSitemaps(context: CrawlContext): Promise<URL[]> {
  const { fetcher, scope, limits } = context
  const root = new URL(`${scope.origin}/`)
  const named = fetcher.rules.sitemaps.slice(0, limits.sitemapsMax)
  const usual = ['/sitemap.xml', '/sitemap-index.xml', `${scope.prefix}/sitemap.xml`]
  const waiting = (named.length > 0 ? named : usual).flatMap((address) => URL.parse(address, root) ?? [])
  const seen = new Set<string>()
  const pages = new Map<string, URL>()
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (next.origin !== scope.origin || seen.has(next.href) || seen.size >= limits.sitemapsMax) continue
    if (pages.size >= limits.pagesMax) break
    seen.add(next.href)
    const sitemap = await fetchSitemap(context, next)
    if (sitemap === null) continue
    for (const address of sitemap.addresses) {
      const url = URL.parse(address, root)
      if (url === null) continue
      if (sitemap.kind === 'index') waiting.push(url)
      else addPage(pages, resolveInScope(address, root, scope), limits.pagesMax)
    }
  }
  return [...pages.values()]
}

async function fetchSitemap(context: CrawlContext, url: URL) {
  const { fetcher, scope, limits } = context
  // Leaves room for addresses that are out of scope or not pages, yet stays bounded.
  const entriesMax = Math.max(limits.pagesMax * 10, limits.sitemapsMax)
  const outcome = await fetcher.fetch(url, limits.textBytesMax, (target) => target.origin === scope.origin)
  if (outcome.kind === 'failed') {
    const message = `The sitemap is not used: ${outcome.reason}.`
    context.findings.add({ file: url.pathname, line: null, rule: 'sitemap-unreadable', message })
    return null
  }
  const { status, text, contentType } = outcome.reply
  return status === 200 && contentType !== 'text/html' ? readSitemap(text, entriesMax) : null
}

function addPage(pages: Map<string, URL>, url: URL | null, pagesMax: number): void {
  if (url !== null && isPageAddress(url) && pages.size < pagesMax) pages.set(url.href, url)
}
