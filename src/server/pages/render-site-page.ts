import { html, raw } from 'hono/html'
import type { IndexedPage } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { icon } from './icon.ts'
import { renderPageEnd } from './page-end.ts'
import { renderPageData } from './page-data.ts'
import { listSiblings, renderSiteFrame, siteNameOf, type SitePlace, wordsOf } from './site-frame.ts'
import { siteBase, sitePath } from './site-path.ts'
import type { PageHeading, PageText } from './text/render-markdown.ts'
import type { PageWords } from './words/english.ts'

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
