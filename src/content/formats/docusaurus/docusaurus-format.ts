import { findSiteRoot } from '../../routes/site-roots.ts'
import type { SiteFormat } from '../site-format.ts'

export const configFile = /^docusaurus\.config\.[mc]?[jt]s$/

export const docusaurusFormat: SiteFormat = {
  name: 'docusaurus',
  label: 'Docusaurus',
  configFile,
  locate: (paths) => findSiteRoot(paths, configFile),
  hasLanguageFallback: true,
  looksAround: true,
  plan: async (reading, root) => (await import('./plan-docusaurus-site.ts')).planDocusaurusSite(reading, root),
}
