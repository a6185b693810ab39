import { atRoot, type SiteFormat } from '../site-format.ts'
import { pageListFile } from './page-list.ts'

/** A tree assembled from a published site. */
export const crawlFormat: SiteFormat = {
  name: 'crawl',
  label: 'Crawl',
  configFile: null,
  writes: { pages: /\.mdx?$/i, code: 'html' },
  hasGivenAddresses: true,
  locate: atRoot(pageListFile),
  plan: async (reading) => (await import('./plan-listed-site.ts')).planListedSite(reading),
}
