import { hasUsualPort, isPlainAddress } from '../base/plain-address.ts'

/** What a crawl may fetch: one origin, and the part of it below the start address. */
export interface CrawlScope {
  origin: string
  /** Without a trailing slash; `''` for the whole origin. */
  prefix: string
}

const addressCharsMax = 2000

/** @returns The scope of an address, or a sentence that says what is wrong with it. */
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
 * The address of a link in scope, without query and fragment; null if it is out of scope. Compares parsed URLs: an address
 * that merely contains the site's is another site.
 */
export function resolveInScope(link: string, base: URL, { origin, prefix }: CrawlScope): URL | null {
  const url = link.length > addressCharsMax ? null : URL.parse(link, base)
  if (url === null || url.origin !== origin || url.username !== '' || url.password !== '') return null
  if (url.pathname !== prefix && !url.pathname.startsWith(`${prefix}/`)) return null
  // Servers may decode encoded slashes and dots, and then see a different path than the one compared.
  if (/%2f|%5c|%2e|\\/i.test(url.pathname)) return null
  url.hash = ''
  url.search = ''
  return url
}
