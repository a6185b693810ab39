import { escapeXml } from '../../base/escape-xml.ts'
import { cutLine, linkText, publishedName, type PublishedSite } from './published-site.ts'

interface RobotsInput {
  /** Such as `search=yes, ai-input=yes`, or `none`. */
  contentSignals: string
  /** Patterns of paths. */
  disallowed?: readonly string[]
  /** Absolute addresses. */
  sitemaps: readonly string[]
  /** Absolute addresses of catalogs for agents. */
  catalogs?: readonly string[]
}

/** `robots.txt` for all programs alike. @see https://www.rfc-editor.org/rfc/rfc9309 @see https://contentsignals.org */
export function writeRobots({ contentSignals, disallowed = [], sitemaps, catalogs = [] }: RobotsInput): string {
  const lines = [
    'User-agent: *',
    ...(contentSignals === 'none' ? [] : [`Content-Signal: ${contentSignals}`]),
    'Allow: /',
    ...disallowed.map((path) => `Disallow: ${path}`),
    '',
    ...sitemaps.map((url) => `Sitemap: ${url}`),
    ...catalogs.map((url) => `Agentmap: ${url}`),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

/** Names the sitemap of each site. */
export function buildSitemapIndex(sites: readonly Pick<PublishedSite, 'filesUrl'>[]): string {
  const entries = sites.map(({ filesUrl }) => {
    return `<sitemap><loc>${escapeXml(`${filesUrl}/sitemap.xml`)}</loc></sitemap>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</sitemapindex>\n`
}

/** Links the `llms.txt` of each site. */
export function buildOriginLlmsText(sites: readonly PublishedSite[]): string {
  const entries = sites.map((published) => {
    const about = cutLine(published.site.index.header.siteDescription, 300)
    const note = about === '' ? '' : `: ${about}`
    return `- [${linkText(publishedName(published))}](${published.filesUrl}/llms.txt)${note}\n`
  })
  return `# Documentation\n\n> ${sites.length} documentation sites. Each has its own list of pages.\n\n## Sites\n\n${entries.join('')}`
}
