import { findSiteRoot, inFolder } from '../../routes/site-roots.ts'
import type { SiteFormat } from '../site-format.ts'

export const contentFolder = 'src/content/docs'
export const configFile = /^astro\.config\.(?:[mc]?js|[mc]?ts)$/

export const starlightFormat: SiteFormat = {
  name: 'starlight',
  label: 'Starlight',
  configFile,
  writes: { pages: /\.mdx?$/i, code: 'mdx', imports: /^@astrojs\/starlight\/components$/ },
  // Astro also builds other kinds of sites.
  locate: (paths) =>
    findSiteRoot(paths, configFile, (root) => {
      const prefix = `${inFolder(root, contentFolder)}/`
      return paths.values().some((path) => path.startsWith(prefix))
    }),
  hasLanguageFallback: true,
  looksAround: true,
  plan: async (reading, root) => (await import('./plan-starlight-site.ts')).planStarlightSite(reading, root),
  readEntries: async (site) => (await import('./starlight-entries.ts')).readStarlightEntries(site),
}
