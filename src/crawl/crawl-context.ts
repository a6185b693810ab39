import type { FindingList } from '../content/finding-list.ts'
import type { CrawlLimits } from './crawl-limits.ts'
import type { CrawlScope } from './crawl-scope.ts'
import type { SiteFetcher } from './site-fetcher.ts'

/** State shared by all parts of one crawl. */
export interface CrawlContext {
  fetcher: SiteFetcher
  scope: CrawlScope
  limits: CrawlLimits
  findings: FindingList
  signal: AbortSignal
}
