import { atRoot, type SiteFormat } from '../site-format.ts'

const navigationFile = 'docs.json'

export const docsJsonFormat: SiteFormat = {
  name: 'docs-json',
  label: 'docs.json',
  configFile: /^docs\.json$/,
  writes: {
    pages: /\.mdx?$/i,
    code: 'mdx',
    navigation: [{ file: /^docs\.json$/, keys: ['navigation', 'redirects'] }],
  },
  locate: atRoot(navigationFile),
  navigationFile,
  hasFileAddresses: true,
  plan: async (reading) => (await import('./plan-docs-json-site.ts')).planDocsJsonSite(reading, navigationFile),
  readEntries: async (site) => (await import('./docs-json-entries.ts')).readDocsJsonEntries(site, navigationFile),
}
