import { html } from 'hono/html'
import { repositoryOf } from '../../codehost/builtin/builtin-host-deps.ts'
import { viewPullRequest, type PullRequestView } from '../../codehost/builtin/view-pull-request.ts'
import { AppError } from '../../contract/app-error.ts'
import type { publicPullRequestOperations } from '../../contract/operations/pull-requests.ts'
import { listViewedFiles, type ViewedFile } from '../../store/hosting/pull-request-reviews.ts'
import { findPullRequestBySecret, type PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import { createGate } from '../create-gate.ts'
import type { AppContext, DocentServer } from '../app-env.ts'
import { MarkdownRenderer } from '../pages/text/markdown-renderer.ts'
import { privatePageHeaders, servePage } from '../resources/page-route.ts'
import { readSession } from '../requests/page-session.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'
import { sendDashboardPage } from './dashboard.ts'
import { listChangedAddresses, sendComparison, sendImage } from './pull-request-files.ts'
import type { z } from 'zod'
import { isPageFile } from '../../content/trees/source-path.ts'
import type { ReadersChange } from '../../contract/counterfactual.ts'
import type { pullRequestViewSchema } from '../../contract/pull-request-view.ts'
import { hideReaderQuestions } from '../../agent/counterfactual/describe-comparison.ts'
import { listComparisons } from '../../store/comparisons/comparisons.ts'
import { getSite } from '../../store/sites/sites.ts'

/** Viewing a pull request starts half a dozen git processes. */
export const pullRequestGate = { runningMax: 4, waitingMax: 100, waitMsMax: 10_000 } as const

/** Handlers for viewing pull requests by their secret URL. */
export function createPullRequestViewHandlers(deps: ServerDeps): Handlers<typeof publicPullRequestOperations> {
  const gate = createGate({ what: 'views of pull requests', ...pullRequestGate })
  return {
    viewPullRequest: async ({ c, params, query: { whitespace } }) => {
      setPrivate(c)
      const { signal } = c.req.raw
      const { id, repositoryId } = await findRecord(params, deps)
      const wanted = { id, ignoresWhitespace: whitespace === 'ignored' }
      const view = await gate.run(repositoryId, () => viewPullRequest(deps.host, wanted, signal), signal)
      const member = (await readSession(c, deps))?.user ?? null
      const isOwn = member?.organizationId === view.repository.organizationId
      const readers = await listReadersChanges(deps, view.record, isOwn)
      if (member === null || !isOwn) return toPullRequestView(view, null, readers)
      const viewed = await listViewedFiles(deps.store.durable, { pullRequestId: id, userId: member.id })
      return toPullRequestView(view, viewed, readers)
    },

    listChangedAddresses: async ({ c, params }) => {
      setPrivate(c)
      const record = await findRecord(params, deps)
      const { signal } = c.req.raw
      return gate.run(record.repositoryId, () => listChangedAddresses(deps, record, signal), signal)
    },
  }
}

function setPrivate(c: AppContext): void {
  for (const [name, value] of Object.entries(privatePageHeaders)) c.header(name, value)
}

/** Adds what the page of a pull request shows in frames and as images. */
function addPullRequestFiles(app: DocentServer, deps: ServerDeps): void {
  const gate = createGate({ what: 'pages of pull requests', ...pullRequestGate, waitMsMax: 30_000 })
  const withRenderer = { ...deps, renderer: new MarkdownRenderer() }
  const serve = (send: (c: AppContext, record: PullRequestRecord) => Promise<Response>) =>
    servePage(async (c) => {
      const record = await findRecord(c.req.param() as { secret: string; number: string }, deps) // Guaranteed by the pattern.
      return gate.run(record.repositoryId, () => send(c, record), c.req.raw.signal)
    })
  app.get(
    '/pull/:secret/:number/page',
    serve((c, record) => sendComparison(c, withRenderer, record)),
  )
  app.get(
    '/pull/:secret/:number/image',
    serve((c, record) => sendImage(c, deps, record)),
  )
}

/** Adds the page of a pull request, drawn by the dashboard's application for anyone who has the URL. */
export function addPullRequestPages(app: DocentServer, deps: ServerDeps): void {
  addPullRequestFiles(app, deps)
  app.get(
    '/pull/:secret/:number',
    servePage(async (c) => {
      const record = await findRecord(c.req.param() as { secret: string; number: string }, deps) // Guaranteed by the pattern.
      const { name } = await repositoryOf(deps.host, record)
      const response = await sendDashboardPage(c, deps.baseUrl, {
        title: String(await html`${record.title}`),
        // For clients without scripts: what it is and its state.
        noscript: String(
          await html`<h1>${record.title}</h1>
            <p>
              Pull request #${record.number} of ${name}: ${record.state}, ${record.headBranch} into
              ${record.baseBranch}.
            </p>
            <p>
              This page needs JavaScript. Without it, append <code>/view</code> to the address to read the change as
              JSON.
            </p>`,
        ),
      })
      response.headers.set('Cache-Control', privatePageHeaders['Cache-Control'])
      return response
    }),
  )

  app.get('/pull-requests', async (c) => {
    const session = await readSession(c, deps)
    const returnTo = `/dashboard/${encodeURIComponent(session?.user.organizationId ?? '')}/pull-requests`
    return c.redirect(session === null ? '/dashboard/sign-in' : returnTo, 303)
  })
}

/** An invalid number counts as not found, as any other unknown URL does. @throws {AppError} `pull_request_not_found`. */
async function findRecord(
  { secret, number }: { secret: string; number: string },
  { store }: ServerDeps,
): Promise<PullRequestRecord> {
  const isWritten = /^[\w-]{16,100}$/.test(secret) && /^[1-9]\d{0,8}$/.test(number)
  const record = isWritten ? await findPullRequestBySecret(store.durable, secret, Number(number)) : null
  if (record !== null) return record
  throw new AppError(
    'pull_request_not_found',
    'There is no pull request at this address. Check that you copied all of it.',
  )
}

/** @param viewed Files that the member of the session has viewed; null without a session of its organization. */
function toPullRequestView(
  { record, repository, mergeability, ...view }: PullRequestView,
  viewed: readonly ViewedFile[] | null,
  readers: ReadersChange[],
): z.input<typeof pullRequestViewSchema> {
  const { id, headCommit, jobId, mergeCommit } = record
  const seen = new Map(viewed?.map(({ path, blob }) => [path, blob]))
  return {
    ...record,
    ...view,
    repository: repository.name,
    draft: record.isDraft,
    mergeCommit: mergeCommit?.slice(0, 7) ?? null,
    commits: view.commits.map((commit) => ({ ...commit, commit: commit.id.slice(0, 7) })),
    files: view.files.map((file) => ({
      ...file,
      isPage: isPageFile(file.path),
      isViewed: seen.get(file.path) === file.blob,
    })),
    comments: view.comments.filter(({ threadId }) => threadId === null),
    threads: view.threads.map((thread) => ({
      ...thread,
      comments: view.comments.filter(({ threadId }) => threadId === thread.id),
    })),
    reviews: view.reviews.map((review) => ({ ...review, isCurrent: review.commit === headCommit })),
    mergeability: { kind: mergeability.kind, files: mergeability.kind === 'conflict' ? mergeability.files : [] },
    readers,
    member: viewed === null ? null : { id, headCommit, jobId },
  }
}

/** @param isMember Whether questions of readers may be shown: having the address of the page is not enough. */
async function listReadersChanges(
  { store }: Pick<ServerDeps, 'store'>,
  { id, headCommit }: PullRequestRecord,
  isMember: boolean,
): Promise<ReadersChange[]> {
  const rows = await listComparisons(store.durable, id)
  const changes = await Promise.all(
    rows.map(async ({ siteId, result, runAt, failure }): Promise<ReadersChange[]> => {
      const site = await getSite(store.durable, siteId)
      if (site === null) return []
      const comparison =
        result === null || isMember ? (result?.comparison ?? null) : hideReaderQuestions(result.comparison)
      const state = runAt !== null ? 'waiting' : failure === null ? 'done' : 'failed'
      return [{ site: site.slug, state, failure, isCurrent: result?.headCommit === headCommit, comparison }]
    }),
  )
  return changes.flat()
}
