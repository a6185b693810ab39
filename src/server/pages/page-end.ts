import { html } from 'hono/html'
import type { IndexedPage } from '../../search/search-query.ts'
import { listSiblings, type SitePlace } from './site-frame.ts'
import { siteBase, sitePath } from './site-path.ts'
import type { PageWords } from './words/english.ts'

interface EndedPage extends SitePlace {
  page: IndexedPage
}

/** Below the text: whether it helped, where to change it, and the pages before and after. Needs no script. */
export function renderPageEnd(view: EndedPage, words: PageWords) {
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
