import { hasUsualPort, isPlainAddress } from '../base/plain-address.ts'

/** What a crawl may fetch: one origin, and below it the path of the address that it was given. */
export interface CrawlScope {
  origin: string
  /** Without a slash at its end; `''` for the whole origin. */
  prefix: string
}

const addressCharsMax = 2000

/** @returns The scope of an address, or a sentence about what is wrong with it. */
export function readScope(
  address: string,
  allowsPrivate: boolean,
): { scope: CrawlScope; start: URL } | { fault: string } {
  const url = URL.parse(address)
  if (url === null || !isPlainAddress(url, true)) {
    return {
      fault: `${JSON.stringify(address.slice(0, 200))} is no address of a website. Give one such as https://example.com/docs.`,
    }
  }
  if (!allowsPrivate && !hasUsualPort(url)) {
    return {
      fault: `${url.origin} is on a port other than 80 and 443, which is reached only with DOCENT_ALLOW_PRIVATE_ADDRESSES=true.`,
    }
  }
  url.hash = ''
  url.search = ''
  const prefix = url.pathname.replace(/\/(?:index\.html?)?$/, '')
  return { scope: { origin: url.origin, prefix }, start: url }
}

/**
 * The address that a link in scope leads to, without query and anchor; null for everything else. Compared as parsed: an address that only
 * holds the site's somewhere is another site.
 */
export function resolveInScope(link: string, base: URL, { origin, prefix }: CrawlScope): URL | null {
  const url = link.length > addressCharsMax ? null : URL.parse(link, base)
  if (url === null || url.origin !== origin || url.username !== '' || url.password !== '') return null
  if (url.pathname !== prefix && !url.pathname.startsWith(`${prefix}/`)) return null
  // Behind encoded slashes and dots a server may see another path than the one that was compared.
  if (/%2f|%5c|%2e|\\/i.test(url.pathname)) return null
  url.hash = ''
  url.search = ''
  return url
}
