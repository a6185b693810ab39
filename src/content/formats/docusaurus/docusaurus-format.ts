import { findSiteRoot } from '../../routes/site-roots.ts'
import type { SiteFormat } from '../site-format.ts'
import { configFile } from './docusaurus-files.ts'

export const docusaurusFormat: SiteFormat = {
  name: 'docusaurus',
  label: 'Docusaurus',
  configFile,
  writes: {
    pages: /\.mdx?$/i,
    code: 'mdx',
    imports: /^@theme\/(?:Tabs|TabItem|CodeBlock|Admonition|Details|TOCInline|DocCardList)$/,
    navigation: [{ file: /(?:^|\/)_category_\.(?:json|ya?ml)$/ }],
  },
  locate: (paths) => findSiteRoot(paths, configFile),
  hasLanguageFallback: true,
  looksAround: true,
  plan: async (reading, root) => (await import('./plan-docusaurus-site.ts')).planDocusaurusSite(reading, root),
  readEntries: async (site) => (await import('./docusaurus-entries.ts')).readDocusaurusEntries(site),
}
