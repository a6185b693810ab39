import { html } from 'hono/html'
import type { LiveSite } from '../../sites/live-sites.ts'
import { renderFrame } from './page-frame.ts'
import { type ListedPage, renderSiteFrame, siteBase } from './site-frame.ts'

export interface Problem {
  title: string
  /** A sentence that says what to do. */
  message: string
  requestId: string
}

/** Error page for browsers, within the site's frame if there is one. */
export function renderProblem(
  { title, message, requestId }: Problem,
  place: { site: LiveSite; pages: readonly ListedPage[] } | null,
) {
  const main = html`<h1>${title}</h1>
    <p class="description">${message}</p>
    ${place === null ? '' : html`<p><a href="${siteBase(place.site)}">Go to the first page</a></p>`}
    <p class="note">Request ${requestId}</p>`
  if (place !== null) return renderSiteFrame({ ...place, current: null, title, main })
  const header = html`<a class="name" href="/">Docent</a>`
  const navigation = html`<ul>
    <li><a href="/">Documentation</a></li>
    <li><a href="/reference">API reference</a></li>
  </ul>`
  return renderFrame({ language: 'en', title, description: '', header, navigationLabel: 'Pages', navigation, main })
}
