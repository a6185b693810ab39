import { html } from 'hono/html'
import { renderFrame } from './page-frame.ts'
import { renderSiteFrame, siteBase, type SitePlace, wordsOf } from './site-frame.ts'

export interface Problem {
  title: string
  /** A sentence that says what to do. */
  message: string
  requestId: string
}

/** Error page for browsers, within the site's frame if there is one. */
export function renderProblem({ title, message, requestId }: Problem, place: SitePlace | null) {
  const main = html`<h1>${title}</h1>
    <p class="lead">${message}</p>
    ${place === null ? '' : html`<p><a href="${siteBase(place.site)}">${wordsOf(place.site, null).firstPage}</a></p>`}
    <p class="quiet">Request ${requestId}</p>`
  if (place !== null) return renderSiteFrame({ ...place, current: null, title, main })
  const header = html`<a class="name" href="/">Docent</a>`
  const navigation = html`<ul>
    <li><a href="/">Documentation</a></li>
    <li><a href="/reference">API reference</a></li>
  </ul>`
  return renderFrame({ language: 'en', title, description: '', header, navigationLabel: 'Pages', navigation, main })
}
