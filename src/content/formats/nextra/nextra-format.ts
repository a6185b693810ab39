import { filesBelow, findSiteRoot } from '../../routes/site-roots.ts'
import type { SiteFormat } from '../site-format.ts'

export const nextConfig = /^next\.config\.[mc]?[jt]s$/
export const metaFile = /(?:^|\/)_meta(?:\.global)?(?:\.([\w-]+))?\.(?:json|[jt]sx?)$/

export const nextraFormat: SiteFormat = {
  name: 'nextra',
  label: 'Nextra',
  // The configuration of Next.js alone does not identify the format.
  configFile: null,
  writes: {
    // `_app.mdx` is a layout.
    pages: /(?:^|\/)(?!_)[^/]*\.mdx?$/i,
    code: 'mdx',
    imports: /^nextra(?:-theme-docs)?(?:\/components)?$/,
    navigation: [{ file: /(?:^|\/)_meta(?:\.[\w-]+)?\.json$/ }],
  },
  locate: (paths) =>
    findSiteRoot(paths, nextConfig, (root) => hasMarks(paths, root)) ??
    findSiteRoot(paths, /^(?:src\/)?(?:content|pages)\/(?:.+\/)?_meta\.(?:json|[jt]sx?)$/),
  hasLanguageFallback: true,
  looksAround: true,
  plan: async (reading, root) => (await import('./plan-nextra-site.ts')).planNextraSite(reading, root),
  readEntries: async (site) => (await import('./nextra-entries.ts')).readNextraEntries(site),
}

function hasMarks(paths: ReadonlySet<string>, root: string): boolean {
  const names = filesBelow(paths, root).keys()
  return names.some((name) => metaFile.test(name) || /^theme\.config\.[jt]sx?$/.test(name))
}
