import { findSiteRoot } from '../../routes/site-roots.ts'
import type { SiteFormat } from '../site-format.ts'

const configFile = /^book\.toml$/

export const mdbookFormat: SiteFormat = {
  name: 'mdbook',
  label: 'mdBook',
  configFile,
  writes: { pages: /\.md$/i, code: 'any', chapters: /(?:^|\/)SUMMARY\.md$/i },
  locate: (paths) => findSiteRoot(paths, configFile),
  looksAround: true,
  plan: async (reading, root) => (await import('./plan-mdbook-site.ts')).planMdbookSite(reading, root),
}
