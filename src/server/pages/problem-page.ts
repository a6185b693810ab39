import { html } from 'hono/html'
import type { NearPage } from '../../search/search-query.ts'
import { renderFrame } from './page-frame.ts'
import { renderSiteFrame, type SitePlace, wordsOf } from './site-frame.ts'
import { siteBase, sitePath } from './site-path.ts'

export interface Problem {
  title: string
  /** A sentence that says what to do. */
  message: string
  requestId: string
  /** What was probably asked for, if nothing is there. */
  near?: readonly NearPage[]
}

/** Error page for browsers, within the site's frame if there is one. */
export function renderProblem({ title, message, requestId, near = [] }: Problem, place: SitePlace | null) {
  const main = html`<h1>${title}</h1>
    <p class="lead">${message}</p>
    ${place === null ? '' : renderWaysOn(place, near)}
    <p class="quiet">Request ${requestId}</p>`
  if (place !== null) return renderSiteFrame({ ...place, current: null, title, main, hasNavigation: false })
  const header = html`<a class="name" href="/">Docent</a>`
  const navigation = html`<ul>
    <li><a href="/">Documentation</a></li>
    <li><a href="/reference">API reference</a></li>
  </ul>`
  return renderFrame({ language: 'en', title, description: '', header, navigationLabel: 'Pages', navigation, main })
}

function renderWaysOn({ site }: SitePlace, near: readonly NearPage[]) {
  const words = wordsOf(site, null)
  const links = near.map(({ path, title }) => html`<li><a href="${sitePath(site, path)}">${title}</a></li>`)
  return html`${
      near.length === 0
        ? ''
        : html`<p>${words.nearest}</p>
            <ul>
              ${links}
            </ul>`
    }
    <p><a href="${siteBase(site)}">${words.firstPage}</a></p>`
}
