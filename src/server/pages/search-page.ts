import { html } from 'hono/html'
import type { Passage } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { type ListedPage, renderSiteFrame, sitePath } from './site-frame.ts'

export interface SearchPageView {
  site: LiveSite
  pages: readonly ListedPage[]
  /** The search query; empty before the first search. */
  query: string
  passages: readonly Passage[]
}

const excerptCharsMax = 280

/** Search results as a page, for readers without JavaScript and for links to a search. */
export function renderSearchPage({ site, pages, query, passages }: SearchPageView) {
  const title = query === '' ? 'Search' : `Search: ${query}`
  const found = passages.length === 1 ? 'One passage fits.' : `${passages.length} passages fit, best first.`
  const nothing = 'No results. Try other words, or browse the pages.'
  const summary = query === '' ? 'Enter a search in the field above.' : found
  return renderSiteFrame({
    site,
    pages,
    current: null,
    title,
    head: html`<meta name="robots" content="noindex" />`,
    query,
    main: html`<h1>${title}</h1>
      <p class="description" role="status">${query !== '' && passages.length === 0 ? nothing : summary}</p>
      <ol class="results">
        ${passages.map((passage) => renderPassage(site, passage))}
      </ol>`,
  })
}

function renderPassage(site: LiveSite, { path, anchor, title, headings, content }: Passage) {
  const href = `${sitePath(site, path)}${anchor === null ? '' : `#${encodeURIComponent(anchor)}`}`
  const place = headings.filter((heading) => heading !== title).join(' › ')
  return html`<li>
    <h2><a href="${href}">${title}${place === '' ? '' : ` › ${place}`}</a></h2>
    <p>${writeExcerpt(content)}</p>
  </li>`
}

/** Start of a passage, without its headings (the link names them) and without Markdown syntax. */
function writeExcerpt(markdown: string): string {
  const text = markdown
    .slice(0, excerptCharsMax * 4)
    .replace(/^(?:```.*|#{1,6}\s.*|\s*\|?(?:\s*:?-{3,}:?\s*\|)+.*)$/gm, ' ')
    .replace(/^\s*(?:>\s?|[-*+]\s)/gm, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`]+/g, '')
    .replace(/[|\s]+/g, ' ')
    .trim()
  return text.length <= excerptCharsMax ? text : `${text.slice(0, excerptCharsMax).replace(/\s+\S*$/, '')}…`
}
