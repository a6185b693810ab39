import type { SiteFormat } from '../site-format.ts'

/** A plain folder of Markdown; the fallback for any tree. */
export const markdownFormat: SiteFormat = {
  name: 'markdown',
  label: 'Markdown',
  configFile: null,
  writes: { pages: /\.mdx?$/i, code: 'unknown' },
  locate: () => '',
  hasFileAddresses: true,
  plan: async (reading) => (await import('./plan-markdown-site.ts')).planMarkdownSite(reading),
  readEntries: async (site) => (await import('./markdown-entries.ts')).readMarkdownEntries(site),
}
