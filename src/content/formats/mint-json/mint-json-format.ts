import { atRoot, type SiteFormat } from '../site-format.ts'

const navigationFile = 'mint.json'

export const mintJsonFormat: SiteFormat = {
  name: 'mint-json',
  label: 'mint.json',
  configFile: /^mint\.json$/,
  writes: {
    pages: /\.mdx?$/i,
    code: 'mdx',
    navigation: [{ file: /^mint\.json$/, keys: ['navigation', 'tabs', 'anchors', 'versions', 'redirects'] }],
  },
  locate: atRoot(navigationFile),
  navigationFile,
  hasFileAddresses: true,
  plan: async (reading) => (await import('./plan-mint-json-site.ts')).planMintJsonSite(reading, navigationFile),
  readEntries: async (site) =>
    (await import('../docs-json/docs-json-entries.ts')).readDocsJsonEntries(site, navigationFile),
}
