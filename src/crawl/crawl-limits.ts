/** Bounds of one crawl. */
export interface CrawlLimits {
  pagesMax: number
  /** Links from the start or a page of the sitemap. */
  depthMax: number
  /** Of one page, packed or unpacked. */
  pageBytesMax: number
  /** Of a sitemap or `llms-full.txt`, packed or unpacked. */
  textBytesMax: number
  /** Of all replies together, unpacked. */
  totalBytesMax: number
  timeMs: number
  requestTimeoutMs: number
  redirectsMax: number
  sitemapsMax: number
  /** Pages fetched at once. */
  concurrencyMax: number
  /** Time between two requests, unless `robots.txt` asks for more. */
  delayMs: number
}

export const defaultCrawlLimits: CrawlLimits = {
  pagesMax: 5000,
  depthMax: 12,
  pageBytesMax: 4 * 1024 ** 2,
  textBytesMax: 32 * 1024 ** 2,
  totalBytesMax: 512 * 1024 ** 2,
  timeMs: 30 * 60_000,
  requestTimeoutMs: 20_000,
  redirectsMax: 5,
  sitemapsMax: 50,
  concurrencyMax: 2,
  delayMs: 200,
}
