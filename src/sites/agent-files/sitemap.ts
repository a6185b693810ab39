import { escapeXml } from '../../base/escape-xml.ts'
import {
  linkText,
  listDefaultPages,
  markdownUrl,
  pageUrl,
  publishedName,
  type PublishedSite,
} from './published-site.ts'

/** Limit of the sitemap protocol. */
const addressesMax = 50_000

/** Listed pages of all versions and languages, for search engines. @see https://www.sitemaps.org/protocol.html */
export function buildSitemap({ pages, filesUrl }: PublishedSite): string {
  const listed = pages.filter(({ isListed }) => isListed).slice(0, addressesMax)
  const entries = listed.map(({ path, changedAt }) => {
    const changed = changedAt === undefined ? '' : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`
    return `<url><loc>${escapeXml(pageUrl({ filesUrl }, path))}</loc>${changed}</url>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`
}

/** The tree of the navigation with the Markdown of its pages, for language models. */
export function buildSitemapMarkdown(published: PublishedSite): string {
  const lines: string[] = []
  let before: readonly string[] = []
  for (const page of listDefaultPages(published)) {
    const shared = page.section.findIndex((title, depth) => title !== before[depth])
    const from = shared === -1 ? page.section.length : shared
    for (const [depth, title] of page.section.entries()) {
      if (depth >= from) lines.push(`${'  '.repeat(depth)}- ${linkText(title)}\n`)
    }
    lines.push(`${'  '.repeat(page.section.length)}- [${linkText(page.title)}](${markdownUrl(published, page.path)})\n`)
    before = page.section
  }
  return `> Index of all pages: ${published.filesUrl}/llms.txt\n\n# ${linkText(publishedName(published))}: all pages\n\n${lines.join('')}`
}
