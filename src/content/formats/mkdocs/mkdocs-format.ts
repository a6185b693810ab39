import { findSiteRoot } from '../../routes/site-roots.ts'
import type { SiteFormat } from '../site-format.ts'

import { configFile } from './mkdocs-files.ts'

export const mkdocsFormat: SiteFormat = {
  name: 'mkdocs',
  label: 'MkDocs',
  configFile,
  writes: { pages: /\.md$/i, code: 'templates', navigation: [{ file: /(?:^|\/)mkdocs\.ya?ml$/, keys: ['nav'] }] },
  locate: (paths) => findSiteRoot(paths, configFile),
  hasLanguageFallback: true,
  looksAround: true,
  plan: async (reading, root) => (await import('./plan-mkdocs-site.ts')).planMkdocsSite(reading, root),
  readEntries: async (site) => (await import('./mkdocs-entries.ts')).readMkdocsEntries(site),
}
