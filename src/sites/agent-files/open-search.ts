import { escapeXml } from '../../base/escape-xml.ts'
import { cutLine, publishedName, type PublishedSite } from './published-site.ts'

/** Limit of the OpenSearch format. */
const shortNameCharsMax = 16
const descriptionCharsMax = 1_024

/** Lets browsers and programs search the site. @see https://github.com/dewitt/opensearch */
export function buildOpenSearch(published: PublishedSite): string {
  const name = publishedName(published)
  const about = cutLine(published.site.index.header.siteDescription, descriptionCharsMax) || `Search ${name}`
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${escapeXml(cutLine(name, shortNameCharsMax))}</ShortName>
<Description>${escapeXml(about)}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Url type="text/html" template="${escapeXml(`${published.filesUrl}/search?q={searchTerms}`)}"/>
</OpenSearchDescription>
`
}
