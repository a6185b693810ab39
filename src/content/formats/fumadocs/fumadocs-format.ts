import { findSiteRoot } from '../../routes/site-roots.ts'
import type { SiteFormat } from '../site-format.ts'

export const configFile = /^source\.config\.[mc]?[jt]s$/

export const metaFile = /(?:^|\/)meta(?:\.([\w-]+))?\.json$/

export const fumadocsFormat: SiteFormat = {
  name: 'fumadocs',
  label: 'Fumadocs',
  configFile,
  writes: {
    pages: /\.mdx?$/i,
    code: 'mdx',
    imports: /^fumadocs-ui\/components\/[\w-]+$/,
    navigation: [{ file: /(?:^|\/)meta(?:\.[\w-]+)?\.json$/ }],
  },
  locate: (paths) => findSiteRoot(paths, configFile) ?? findSiteRoot(paths, /^content\/docs\/(?:.+\/)?meta\.json$/),
  hasLanguageFallback: true,
  looksAround: true,
  plan: async (reading, root) => (await import('./plan-fumadocs-site.ts')).planFumadocsSite(reading, root),
  readEntries: async (site) => (await import('./fumadocs-entries.ts')).readFumadocsEntries(site),
}
