import { html } from 'hono/html'
import type { PullRequestRecord } from '../../store/pull-requests.ts'
import { renderFrame } from './page-frame.ts'
import { showText } from './pull-request-diff.ts'
import { pullRequestHead, renderHeader, renderState, renderTime, type Viewer } from './pull-request-page.ts'

export interface PullRequestListView {
  /** Newest first, each with the name of its repository and its address. */
  items: readonly { record: PullRequestRecord; repository: string; url: string }[]
  /** The address of the next page of the list; null at its end. */
  nextUrl: string | null
  viewer: Viewer
}

/** The pull requests of an organization, for its owner. */
export function renderPullRequestList({ items, nextUrl, viewer }: PullRequestListView) {
  const rows = items.map(
    ({ record, repository, url }) =>
      html`<li>
        ${renderState(record)} <a href="${url}">${showText(record.title)}</a>
        <p>${repository} #${record.number}, ${renderTime(record.createdAt)}</p>
      </li>`,
  )
  return renderFrame({
    language: 'en',
    title: 'Pull requests',
    description: '',
    head: pullRequestHead,
    header: renderHeader(viewer),
    navigationLabel: 'Pages',
    navigation: html`<ul>
      <li><a href="/pull-requests" aria-current="page">Pull requests</a></li>
      <li><a href="/">Documentation</a></li>
      <li><a href="/reference">API reference</a></li>
    </ul>`,
    main: html`<h1>Pull requests</h1>
      ${
        items.length === 0
          ? html`<p class="description">
              There is none yet. Jobs of the agent open them, and so do you for a branch that you pushed.
            </p>`
          : ''
      }
      <ol class="rows">
        ${rows}
      </ol>
      ${nextUrl === null ? '' : html`<p><a href="${nextUrl}">Older ones</a></p>`}`,
  })
}
