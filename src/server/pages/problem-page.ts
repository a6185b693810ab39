import { html } from 'hono/html'
import { listSimilarPages } from '../../content/links/nearest-address.ts'
import { renderFrame } from './page-frame.ts'
import { renderSiteFrame, type SitePlace, wordsOf } from './site-frame.ts'
import { siteBase, sitePath } from './site-path.ts'

export interface Problem {
  title: string
  /** A sentence that says what to do. */
  message: string
  requestId: string
  /** The path on the site that was asked for, if nothing is there. */
  missingPath?: string
}

const suggestionsMax = 5

/** Error page for browsers, within the site's frame if there is one. */
export function renderProblem({ title, message, requestId, missingPath }: Problem, place: SitePlace | null) {
  const main = html`<h1>${title}</h1>
    <p class="lead">${message}</p>
    ${place === null ? '' : renderWaysOn(place, missingPath)}
    <p class="quiet">Request ${requestId}</p>`
  if (place !== null) return renderSiteFrame({ ...place, current: null, title, main })
  const header = html`<a class="name" href="/">Docent</a>`
  const navigation = html`<ul>
    <li><a href="/">Documentation</a></li>
    <li><a href="/reference">API reference</a></li>
  </ul>`
  return renderFrame({ language: 'en', title, description: '', header, navigationLabel: 'Pages', navigation, main })
}

function renderWaysOn({ site, pages }: SitePlace, missingPath: string | undefined) {
  const words = wordsOf(site, null)
  const near = missingPath === undefined ? [] : listSimilarPages(missingPath, pages, suggestionsMax)
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
