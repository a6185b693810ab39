/** The addresses in a sitemap as written, or the sitemaps in a sitemap index. */
export interface Sitemap {
  kind: 'pages' | 'index'
  addresses: string[]
}

const location = /<loc>\s*(?:<!\[CDATA\[)?\s*([^<\]\s]{1,2000})\s*(?:\]\]>)?\s*<\/loc>/g

/**
 * Reads a sitemap, in XML or as a list of lines. No XML parser is involved, so entities and external references do not exist.
 *
 * @param entriesMax Most addresses to return; the rest is ignored.
 */
export function readSitemap(text: string, entriesMax: number): Sitemap {
  const kind = /<sitemapindex[\s>]/.test(text.slice(0, 5000)) ? 'index' : 'pages'
  const addresses: string[] = []
  if (!/^\s*</.test(text)) {
    for (const line of text.split('\n', entriesMax))
      if (/^https?:\/\/\S+$/.test(line.trim())) addresses.push(line.trim())
    return { kind, addresses }
  }
  for (const [, address = ''] of text.matchAll(location)) {
    if (addresses.length >= entriesMax) break
    addresses.push(address.replaceAll('&amp;', '&'))
  }
  return { kind, addresses }
}
