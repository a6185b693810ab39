/** Bounds of one crawl. */
export interface CrawlLimits {
  pagesMax: number
  /** Link depth from the start page or a page of the sitemap. */
  depthMax: number
  /** Maximum per page, compressed and decompressed. */
  pageBytesMax: number
  /** Of a sitemap or `llms-full.txt`, compressed or decompressed. */
  textBytesMax: number
  /** Maximum of all responses together, decompressed. */
  totalBytesMax: number
  timeMs: number
  requestTimeoutMs: number
  redirectsMax: number
  sitemapsMax: number
  /** Concurrent page requests. */
  concurrencyMax: number
  /** Delay between requests, unless `robots.txt` asks for more. */
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
