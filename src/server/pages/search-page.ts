import { html } from 'hono/html'
import type { Passage } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { renderSiteFrame, type SitePlace, wordsOf } from './site-frame.ts'
import { siteBase, sitePath } from './site-path.ts'

export interface SearchPageView extends SitePlace {
  /** The search query; empty before the first search. */
  query: string
  passages: readonly Passage[]
}

const excerptCharsMax = 280

/** Search results as a page, for readers without JavaScript and for links to a search. */
export function renderSearchPage({ query, passages, ...place }: SearchPageView) {
  const { site } = place
  const words = wordsOf(site, null)
  const title = query === '' ? words.search : `${words.search}: ${query}`
  const found = passages.length === 1 ? words.oneFound : words.manyFound.replace('{count}', String(passages.length))
  const summary = query === '' ? words.enterSearch : passages.length === 0 ? words.nothingFound : found
  return renderSiteFrame({
    ...place,
    current: null,
    title,
    head: html`<meta name="robots" content="noindex" />`,
    main: html`<h1>${title}</h1>
      <form class="find" role="search" action="${siteBase(site)}/search">
        <input type="search" name="q" value="${query}" aria-label="${words.search}" maxlength="200" required />
        <button class="button">${words.search}</button>
      </form>
      <p class="quiet" role="status">${summary}</p>
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
