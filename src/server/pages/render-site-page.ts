import { html, raw } from 'hono/html'
import type { IndexedPage } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { icon } from './icon.ts'
import { listSiblings, renderSiteFrame, siteNameOf, type SitePlace, wordsOf } from './site-frame.ts'
import { siteBase, sitePath } from './site-path.ts'
import type { PageHeading, PageText } from './text/render-markdown.ts'
import type { PageWords } from './words/english.ts'
import { pageUrl } from '../../sites/agent-files/published-site.ts'

export interface SitePageView extends SitePlace {
  page: IndexedPage
  text: PageText
}

/** A public page: navigation, text and table of contents, without scripts of the site. */
export function renderSitePage(view: SitePageView) {
  const { site, page, text } = view
  const { title, description } = page
  const words = wordsOf(site, page)
  const contents = renderContents(text.headings)
  return renderSiteFrame({
    ...view,
    current: page,
    title,
    description,
    head: html`<link rel="describedby" type="text/markdown" href="${view.filesUrl}/llms.txt" />
      <link rel="alternate" type="text/markdown" href="${markdownPath(site, page)}" />
      ${renderPageData(view)}`,
    main: html`${renderBreadcrumb(view, words)}
      <h1>${title}</h1>
      ${description === '' ? '' : html`<p class="lead">${description}</p>`}
      ${
        contents &&
        html`<details class="here">
          <summary>${words.onThisPage}</summary>
          ${contents}
        </details>`
      }
      ${raw(text.html)} ${renderPageEnd(view, words)}`,
    aside: html`<aside class="toc">
      ${
        contents &&
        html`<nav aria-labelledby="docent-toc">
          <h2 id="docent-toc">${words.onThisPage}</h2>
          ${contents}
        </nav>`
      }
      <div class="actions">
        <button type="button" data-docent-open hidden>${icon('ask')}${words.askAboutPage}</button>
        <a href="${markdownPath(site, page)}" data-copy>${icon('copy')}<span>${words.copyPage}</span></a>
      </div>
    </aside>`,
  })
}

/** Headings of the two upper levels; empty for fewer than two. */
function renderContents(headings: readonly PageHeading[]) {
  const shown = headings.filter(({ depth, text }) => depth <= 3 && text !== '')
  if (shown.length < 2) return ''
  return html`<ul>
    ${shown.map(
      ({ id, text, depth }) =>
        html`<li ${depth > 2 ? raw('class="sub"') : ''}><a href="#${encodeURIComponent(id)}">${text}</a></li>`,
    )}
  </ul>`
}

/** Containers of the navigation have no pages of their own: each leads to its first one. */
function renderBreadcrumb({ site, pages, page }: SitePageView, words: PageWords) {
  const siblings = listSiblings(site, pages, page)
  const items = page.section.map((title, depth) => {
    const first = siblings.find(({ section }) =>
      page.section.slice(0, depth + 1).every((name, at) => section[at] === name),
    )
    return first === undefined || first.path === page.path
      ? html`<li>${title}</li>`
      : html`<li><a href="${sitePath(site, first.path)}">${title}</a></li>`
  })
  return html`<nav class="crumbs" aria-label="${words.breadcrumb}">
    <ol>
      <li><a href="${siteBase(site)}">${siteNameOf(site)}</a></li>
      ${items}
    </ol>
  </nav>`
}

export function markdownPath(site: LiveSite, { path }: Pick<IndexedPage, 'path'>): string {
  return `${siteBase(site)}${path === '/' ? '/index' : encodeURI(path)}.md`
}

/** The text below the title. Plain Markdown repeats its title as the first heading, but a page should have only one. */
export function stripTitle({ title, markdown }: IndexedPage): string {
  const [heading = ''] = markdown.split('\n', 1)
  return heading.replace(/^#\s+/, '').trim() === title && heading.startsWith('# ')
    ? markdown.slice(heading.length).trimStart()
    : markdown
}

/**
 * The page as linked data, for search engines.
 *
 * @see https://schema.org/TechArticle
 */
function renderPageData(view: Pick<SitePageView, 'site' | 'pages' | 'page' | 'filesUrl'>) {
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

interface EndedPage extends SitePlace {
  page: IndexedPage
}

/** Below the text: whether it helped, where to change it, and the pages before and after. Needs no script. */
function renderPageEnd(view: EndedPage, words: PageWords) {
  const { site, page, key } = view
  const edit = `${siteBase(site)}/edit?${new URLSearchParams({ page: page.path })}`
  return html`<div class="was">
      ${key === null ? '' : renderFeedback(view, words)}
      <a class="end" href="${edit}" rel="nofollow">${words.edit}</a>
    </div>
    ${renderNeighbours(view, words)}`
}

/** The reply leads to the thanks, which show only there. */
function renderFeedback({ site, page }: EndedPage, words: PageWords) {
  const action = `${siteBase(site)}/feedback`
  const path = html`<input type="hidden" name="path" value="${page.path}" />`
  return html`<span>${words.helped}</span>
    <form method="post" action="${action}">
      ${path}<button class="button" name="helpful" value="yes">${words.yes}</button>
    </form>
    <details>
      <summary class="button">${words.no}</summary>
      <form method="post" action="${action}">
        ${path}
        <label for="docent-missing">${words.tellMore}</label>
        <textarea id="docent-missing" name="note" rows="3" maxlength="2000"></textarea>
        <button class="button" name="helpful" value="no">${words.send}</button>
      </form>
    </details>
    <p id="docent-thanks" tabindex="-1">${words.thanks}</p>`
}

function renderNeighbours({ site, pages, page }: EndedPage, words: PageWords) {
  const siblings = listSiblings(site, pages, page)
  const place = siblings.findIndex(({ path, version }) => path === page.path && version === page.version)
  const [previous, next] = place < 0 ? [] : [siblings[place - 1], siblings[place + 1]]
  if (previous === undefined && next === undefined) return ''
  const link = (to: typeof next, rel: string, label: string) =>
    to && html`<a href="${sitePath(site, to.path)}" rel="${rel}"><span>${label}</span>${to.title}</a>`
  return html`<nav class="turn" aria-label="${words.around}">
    ${link(previous, 'prev', words.previous) ?? ''}${link(next, 'next', words.next) ?? ''}
  </nav>`
}
