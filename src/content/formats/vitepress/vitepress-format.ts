import { findSiteRoot } from '../../routes/site-roots.ts'
import type { SiteFormat } from '../site-format.ts'

export const configFile = /^\.vitepress\/config(?:\/index)?\.[mc]?[jt]s$/

/** A language may have its own configuration in its folder. */
export const localeConfig = /^(?:([\w-]+)\/)?config\.[mc]?[jt]s$/

export const vitepressFormat: SiteFormat = {
  name: 'vitepress',
  label: 'VitePress',
  configFile,
  writes: { pages: /\.md$/i, code: 'vue' },
  locate: (paths) => findSiteRoot(paths, configFile),
  looksAround: true,
  plan: async (reading, root) => (await import('./plan-vitepress-site.ts')).planVitepressSite(reading, root),
  readEntries: async (site) => (await import('./vitepress-entries.ts')).readVitepressEntries(site),
}
