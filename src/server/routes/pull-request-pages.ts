import { html } from 'hono/html'
import type { z } from 'zod'
import type { Session } from '../../access/sign-in/sign-in.ts'
import { repositoryOf } from '../../codehost/builtin/builtin-host-deps.ts'
import { type PullRequestView, viewPullRequest } from '../../codehost/builtin/view-pull-request.ts'
import { AppError } from '../../contract/app-error.ts'
import type { publicPullRequestOperations } from '../../contract/operations/pull-requests.ts'
import type { pullRequestViewSchema } from '../../contract/pull-request-view.ts'
import { findPullRequestBySecret, type PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import { createGate } from '../create-gate.ts'
import type { DocentServer } from '../app-env.ts'
import { privatePageHeaders, servePage } from '../resources/page-route.ts'
import { readSession } from '../requests/page-session.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'
import { sendDashboardPage } from './dashboard.ts'

/** Handlers for viewing pull requests by their secret URL. */
export function createPullRequestViewHandlers(deps: ServerDeps): Handlers<typeof publicPullRequestOperations> {
  // Viewing a pull request starts half a dozen git processes.
  const gate = createGate({ what: 'views of pull requests', runningMax: 4, waitingMax: 100, waitMsMax: 10_000 })
  return {
    viewPullRequest: async ({ c, params }) => {
      for (const [name, value] of Object.entries(privatePageHeaders)) c.header(name, value)
      const { signal } = c.req.raw
      const { id, repositoryId } = await findRecord(params, deps)
      const view = await gate.run(repositoryId, () => viewPullRequest(deps.host, id, signal), signal)
      return toResource(view, await readSession(c, deps))
    },
  }
}

/** Adds the page of a pull request, drawn by the dashboard's application for anyone who has the URL. */
export function addPullRequestPages(app: DocentServer, deps: ServerDeps): void {
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

/** A wrong number is as unknown as any other URL. @throws {AppError} `pull_request_not_found`. */
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

function toResource(view: PullRequestView, session: Session | null): z.input<typeof pullRequestViewSchema> {
  const { record, repository, commits, files, filesTotal, comments, mergeability } = view
  const { number, state, title, body, checks, headBranch, baseBranch, endedBy, mergeCommit } = record
  const isOwn = session?.user.organizationId === repository.organizationId
  return {
    number,
    repository: repository.name,
    state,
    draft: record.isDraft,
    title,
    body,
    checks,
    headBranch,
    baseBranch,
    createdAt: record.createdAt,
    endedAt: record.endedAt,
    endedBy,
    mergeCommit: mergeCommit?.slice(0, 7) ?? null,
    commits: commits.map((commit) => ({
      commit: commit.id.slice(0, 7),
      title: commit.title,
      authorName: commit.authorName,
      authoredAt: commit.authoredAt,
    })),
    files,
    filesTotal,
    comments: comments.map((comment) => ({
      author: comment.author,
      body: comment.body,
      createdAt: comment.createdAt,
    })),
    mergeability: { kind: mergeability.kind, files: mergeability.kind === 'conflict' ? mergeability.files : [] },
    member: isOwn ? { id: record.id, headCommit: record.headCommit } : null,
  }
}
