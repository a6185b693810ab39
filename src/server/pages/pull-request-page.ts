import { html, raw } from 'hono/html'
import type { Mergeability, PullRequestView } from '../../codehost/builtin/view-pull-request.ts'
import type { PullRequestCheckRecord, PullRequestRecord } from '../../store/pull-requests.ts'
import { type Markup, renderFrame } from './page-frame.ts'
import { fileAnchor, renderCounts, renderFiles, showText } from './pull-request-diff.ts'

/** Who looks at a page of ours. */
export interface Viewer {
  name: string
  /** For the forms of the page. */
  formToken: string
  /** Whether they merge, close and comment: viewers do not. */
  mayDecide: boolean
}

export interface PullRequestPageView extends PullRequestView {
  /** The description as safe HTML. */
  description: string
  /** The comments' texts as safe HTML, in their order. */
  commentTexts: readonly string[]
  viewer: Viewer | null
  /** What came of a form that was sent; null when none was. */
  notice: string | null
}

/** A pull request for people, in one page that needs no script. */
export function renderPullRequestPage(view: PullRequestPageView) {
  const { record, repository, viewer } = view
  return renderFrame({
    language: 'en',
    title: `${record.title} · Pull request #${record.number} · ${repository.name}`,
    description: '',
    head: pullRequestHead,
    header: renderHeader(viewer),
    navigationLabel: 'Contents',
    navigation: renderContents(view),
    main: html`${view.notice === null ? '' : html`<p class="notice" role="alert">${view.notice}</p>`}
      <h1>${showText(record.title)} <span class="muted">#${record.number}</span></h1>
      ${renderFacts(view)} ${renderDescription(view)} ${renderChecks(record.checks)} ${renderCommits(view)}
      ${renderChanges(view)} ${renderComments(view)} ${renderDecision(view)}`,
  })
}

export const pullRequestHead = html`<meta name="robots" content="noindex" />
  <meta name="referrer" content="no-referrer" />
  <link rel="stylesheet" href="/assets/tokens.css" />
  <link rel="stylesheet" href="/assets/diff.module.css" />
  <link rel="stylesheet" href="/assets/pull-request.css" />`

/** The name of the product, and who is signed in. */
export function renderHeader(viewer: Viewer | null) {
  return html`<a class="name" href="/"><span class="mark" aria-hidden="true">D</span>Docent</a> ${
      viewer === null
        ? html`<a class="account" href="/sign-in">Sign in</a>`
        : html`<a class="account" href="/dashboard">Dashboard</a>
            <a href="/pull-requests">Pull requests</a>
            <span class="muted">${viewer.name}</span>
            <form class="sign-out" method="post" action="/sign-out">
              ${renderToken(viewer)}<button>Sign out</button>
            </form>`
    }`
}

function renderContents({ files, filesTotal, commits, comments, record }: PullRequestPageView) {
  const item = (href: string, text: Markup) => html`<li><a href="${href}">${text}</a></li>`
  return html`<ul>
      ${item('#description', 'Description')} ${record.checks.length === 0 ? '' : item('#checks', 'Checks')}
      ${item('#commits', `Commits (${commits.length})`)} ${item('#comments', `Comments (${comments.length})`)}
      ${item('#decision', record.state === 'open' ? 'Merge or close' : 'Outcome')}
    </ul>
    <h2>Files (${filesTotal})</h2>
    <ul>
      ${files.map((file, index) => item(`#${fileAnchor(index)}`, html`${showText(file.path)} ${renderCounts(file)}`))}
    </ul>`
}

const stateNames = { open: 'Open', merged: 'Merged', closed: 'Closed' } as const

export function renderState({ state, isDraft }: Pick<PullRequestRecord, 'state' | 'isDraft'>) {
  const isOpenDraft = isDraft && state === 'open'
  return html`<span class="state ${isOpenDraft ? 'draft' : state}">${isOpenDraft ? 'Draft' : stateNames[state]}</span>`
}

export function renderTime(timeMs: number) {
  const text = new Date(timeMs).toISOString()
  return html`<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')} UTC</time>`
}

function renderFacts({ record, repository, files, filesTotal }: PullRequestPageView) {
  const sum = (name: 'additions' | 'deletions') => files.reduce((total, file) => total + file[name], 0)
  const counts = { additions: sum('additions'), deletions: sum('deletions') }
  return html`<p class="facts-line">
    ${renderState(record)} <code>${record.headBranch}</code> into <code>${record.baseBranch}</code> of
    ${repository.name}, opened ${renderTime(record.createdAt)}. ${filesTotal} ${filesTotal === 1 ? 'file' : 'files'}
    ${renderCounts(counts)}
  </p>`
}

function renderDescription({ description }: PullRequestPageView) {
  return html`<section id="description" aria-label="Description">
    ${description === '' ? html`<p class="note">There is no description.</p>` : raw(description)}
  </section>`
}

const checkNames = { passed: 'Passed', warning: 'Warning', failed: 'Failed' } as const

function renderChecks(checks: readonly PullRequestCheckRecord[]) {
  if (checks.length === 0) return ''
  const items = checks.map(
    ({ name, state, summary }) =>
      html`<li>
        <span class="check ${state}">${checkNames[state]}</span> <strong>${showText(name)}</strong>
        ${summary === '' ? '' : html`<p>${showText(summary)}</p>`}
      </li>`,
  )
  return html`<section id="checks">
    <h2>Checks</h2>
    <ul class="rows">
      ${items}
    </ul>
  </section>`
}

function renderCommits({ commits }: PullRequestPageView) {
  const items = commits.map(
    ({ id, title, authorName, authoredAt }) =>
      html`<li>
        <code>${id.slice(0, 7)}</code> ${showText(title)}
        <p>${showText(authorName)}, ${renderTime(authoredAt)}</p>
      </li>`,
  )
  return html`<section id="commits">
    <h2>Commits</h2>
    ${commits.length === 0 ? html`<p class="note">There is none that the base branch does not have.</p>` : ''}
    <ol class="rows">
      ${items}
    </ol>
  </section>`
}

function renderChanges({ files, filesTotal }: PullRequestPageView) {
  const more = filesTotal - files.length
  return html`<section id="files">
    <h2>Files</h2>
    ${renderFiles(files)}
    ${more === 0 ? '' : html`<p class="note">${more} more files are not shown. Fetch the branch with git to read them.</p>`}
  </section>`
}

function renderComments({ comments, commentTexts, viewer, record }: PullRequestPageView) {
  const items = comments.map(
    ({ author, createdAt }, index) =>
      html`<li class="comment">
        <p>${showText(author)}, ${renderTime(createdAt)}</p>
        ${raw(commentTexts[index] ?? '')}
      </li>`,
  )
  return html`<section id="comments">
    <h2>Comments</h2>
    ${comments.length === 0 ? html`<p class="note">Nobody has commented yet.</p>` : ''}
    <ol class="rows">
      ${items}
    </ol>
    ${
      viewer?.mayDecide !== true
        ? ''
        : html`<form method="post" action="${formAddress(record, 'comments')}">
            ${renderToken(viewer)}
            <label for="comment">Comment, in Markdown</label>
            <textarea id="comment" name="body" rows="4" maxlength="60000" required></textarea>
            <button>Comment</button>
          </form>`
    }
  </section>`
}

/** What can be done with it, or what was. */
function renderDecision(view: PullRequestPageView) {
  return html`<section id="decision">
    <h2>${view.record.state === 'open' ? 'Merge or close' : 'Outcome'}</h2>
    ${view.record.state === 'open' ? renderChoices(view) : renderOutcome(view)}
  </section>`
}

function renderOutcome({ record, repository, viewer }: PullRequestPageView) {
  const { state, baseBranch, endedAt, endedBy, mergeCommit } = record
  const when = endedAt === null ? '' : renderTime(endedAt)
  const into = html`into <code>${baseBranch}</code> as <code>${mergeCommit?.slice(0, 7) ?? ''}</code>`
  if (state !== 'merged') return html`<p>${endedBy ?? 'Somebody'} closed it without merging, ${when}.</p>`
  const sites =
    viewer === null
      ? ''
      : html` <a href="/dashboard/${repository.organizationId}/pull-requests">See whether readers have it</a>.`
  return html`<p>${endedBy ?? 'Somebody'} merged it ${into}, ${when}.${sites}</p>`
}

function renderChoices({ record, mergeability, viewer }: PullRequestPageView) {
  const obstacle = renderObstacle(record, mergeability)
  if (viewer === null) {
    return html`${obstacle}
      <p>
        Only signed-in owners and editors may merge, close or comment. <a href="/sign-in">Sign in</a> in this browser,
        and come back.
      </p>`
  }
  if (!viewer.mayDecide) {
    return html`${obstacle}
      <p>Your role is viewer: you may read this, and not merge, close or comment. An owner can change your role.</p>`
  }
  const label = record.isDraft ? 'Merge although it is a draft' : 'Merge'
  const isMergeable = mergeability.kind === 'mergeable'
  return html`${obstacle}
    <div class="choices">
      ${
        isMergeable
          ? html`<form method="post" action="${formAddress(record, 'merge')}">
              ${renderToken(viewer)}
              <input type="hidden" name="head" value="${record.headCommit}" />
              <button class="primary">${label}</button>
            </form>`
          : ''
      }
      <form method="post" action="${formAddress(record, 'close')}">
        ${renderToken(viewer)}
        <button>Close without merging</button>
      </form>
    </div>`
}

function renderObstacle({ baseBranch, headBranch }: PullRequestRecord, mergeability: Mergeability) {
  switch (mergeability.kind) {
    case 'mergeable':
      return html`<p>It merges cleanly into <code>${baseBranch}</code>.</p>`
    case 'conflict':
      return html`<p>
          It cannot be merged: <code>${baseBranch}</code> has changed the same lines of these files. Merge
          <code>${baseBranch}</code> into <code>${headBranch}</code>, settle them, and push.
        </p>
        <ul class="conflicts">
          ${mergeability.files.map((file) => html`<li><code>${showText(file)}</code></li>`)}
        </ul>`
    case 'nothing-to-merge':
      return html`<p>There is nothing to merge: <code>${baseBranch}</code> holds all of it already.</p>`
    case 'branch-gone':
      return html`<p>The branch <code>${headBranch}</code> was deleted. Push it again to merge it.</p>`
    case 'unrelated':
      return html`<p>It cannot be merged: the branches share no history.</p>`
    case 'ended':
      return ''
  }
}

/** From the root on, because the page is also the answer to a form that was refused, at the address of that form. */
function formAddress({ secret, number }: PullRequestRecord, action: 'comments' | 'merge' | 'close'): string {
  return `/pull/${secret}/${number}/${action}`
}

function renderToken({ formToken }: Viewer) {
  return html`<input type="hidden" name="token" value="${formToken}" />`
}
