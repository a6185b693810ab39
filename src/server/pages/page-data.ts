import { html, raw } from 'hono/html'
import { pageUrl } from '../../sites/agent-files/published-site.ts'
import type { SitePageView } from './render-site-page.ts'
import { listSiblings, siteNameOf } from './site-frame.ts'

/**
 * The page as linked data, for search engines.
 *
 * @see https://schema.org/TechArticle
 */
export function renderPageData(view: Pick<SitePageView, 'site' | 'pages' | 'page' | 'filesUrl'>) {
  const { site, page, filesUrl } = view
  const addressOf = (path: string) => pageUrl({ filesUrl }, path)
  const language = page.language ?? site.index.header.defaultLanguage ?? 'en'
  const website = {
    '@type': 'WebSite',
    '@id': `${filesUrl}#website`,
    name: siteNameOf(site),
    url: filesUrl,
    potentialAction: {
      '@type': 'SearchAction',
      target: `${filesUrl}/search?q={search_term_string}`,
      'query-input': 'required name=search_term_string',
    },
  }
  const article = {
    '@type': 'TechArticle',
    headline: page.title,
    ...(page.description !== '' && { description: page.description }),
    inLanguage: language,
    ...(page.changedAt !== undefined && { dateModified: new Date(page.changedAt).toISOString() }),
    ...(page.version !== null && { version: page.version }),
    url: addressOf(page.path),
    isPartOf: { '@id': website['@id'] },
  }
  const data = { '@context': 'https://schema.org', '@graph': [website, article, listCrumbs(view, addressOf)] }
  // Nothing in it can end the element.
  return html`<script type="application/ld+json">
    ${raw(JSON.stringify(data).replaceAll('<', String.raw`\u003c`))}
  </script>`
}

type PageView = Parameters<typeof renderPageData>[0]

function listCrumbs({ site, pages, page }: PageView, addressOf: (path: string) => string) {
  const siblings = listSiblings(site, pages, page)
  const sections = page.section.map((name, depth) => {
    const first = siblings.find(({ section }) =>
      page.section.slice(0, depth + 1).every((title, at) => section[at] === title),
    )
    return { name, ...(first && { item: addressOf(first.path) }) }
  })
  const items = [{ name: siteNameOf(site), item: addressOf('/') }, ...sections, { name: page.title }]
  const itemListElement = items.map((item, at) => ({ '@type': 'ListItem', position: at + 1, ...item }))
  return { '@type': 'BreadcrumbList', itemListElement }
}
