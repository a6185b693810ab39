/** The addresses in a sitemap, as they are written, or those of further sitemaps in an index of them. */
export interface Sitemap {
  kind: 'pages' | 'index'
  addresses: string[]
}

const location = /<loc>\s*(?:<!\[CDATA\[)?\s*([^<\]\s]{1,2000})\s*(?:\]\]>)?\s*<\/loc>/g

/**
 * Reads a sitemap, in XML or as a list of lines, without a parser for XML: there is nothing in it that could refer to anything else.
 *
 * @param entriesMax Most addresses to take; the rest is not looked at.
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
