import { addComment } from '../../codehost/builtin/add-comment.ts'
import { closePullRequest, openBuiltinCodeHost } from '../../codehost/builtin/builtin-code-host.ts'
import { pullRequestUrl, repositoryOf, requireRepository } from '../../codehost/builtin/builtin-host-deps.ts'
import { mergePullRequest } from '../../codehost/builtin/merge-pull-request.ts'
import { reconcilePullRequest } from '../../codehost/builtin/reconcile-pull-request.ts'
import { pullRequestNotFound } from '../../codehost/pull-request-number.ts'
import type { pullRequestOperations } from '../../contract/operations/pull-requests.ts'
import { getPullRequest, listPullRequests, type PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import type { AppContext } from '../app-env.ts'
import { requireRole } from '../requests/require-role.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

export function createPullRequestHandlers(deps: ServerDeps): Handlers<typeof pullRequestOperations> {
  const { host, store } = deps

  return {
    listPullRequests: async ({ c, query: { repository: name, state, ...page } }) => {
      const organizationId = c.get('organizationId')
      const repository = name === undefined ? undefined : await requireRepository(host, organizationId, name)
      const request = { ...page, organizationId, repositoryId: repository?.id, state }
      const { items, nextCursor } = await listPullRequests(store.durable, request)
      const resources = await Promise.all(items.map((record) => toResource(deps, record)))
      return { items: resources, nextCursor }
    },

    openPullRequest: async ({ c, body: { repository: name, branch, base, title, body, draft } }) => {
      const repository = await requireRepository(host, c.get('organizationId'), name)
      const { id } = await openBuiltinCodeHost(host, repository).openPullRequest(
        { branch, base: base ?? null, title, body, isDraft: draft, jobId: null, checks: [] },
        c.req.raw.signal,
      )
      const opened = await readResource(c, deps, id)
      return { reply: opened, audit: { target: targetOf(opened) } }
    },

    getPullRequest: async ({ c, params }) => {
      const { id } = await findOwn(c, deps, params.id)
      return readResource(c, deps, id)
    },

    mergePullRequest: async ({ c, params, body: { head, override } }) => {
      if (override != null) requireRole(c, 'owner')
      const { id } = await findOwn(c, deps, params.id)
      const input = { id, expectedHead: head ?? null, by: c.get('actorName'), override: override ?? null }
      const merged = await mergePullRequest(host, input, c.req.raw.signal)
      return { reply: () => toResource(deps, merged), audit: { target: targetOf(merged) } }
    },

    closePullRequest: async ({ c, params }) => {
      const { id } = await findOwn(c, deps, params.id)
      const closed = await closePullRequest(host, id, c.get('actorName'), c.req.raw.signal)
      return { reply: () => toResource(deps, closed), audit: { target: targetOf(closed) } }
    },

    commentOnPullRequest: async ({ c, params, body }) => {
      const record = await findOwn(c, deps, params.id)
      const { id } = record
      const comment = { body: body.body, author: c.get('actorName') }
      const made = await addComment(host, { id, ...comment })
      return {
        reply: { ...comment, id: made.id, createdAt: made.createdAt },
        audit: { target: targetOf(record) },
      }
    },
  }
}

/** @throws {AppError} `pull_request_not_found`, also if it belongs to another organization. */
async function findOwn(c: AppContext, { host, store }: ServerDeps, id: string): Promise<PullRequestRecord> {
  const record = await getPullRequest(store.durable, id)
  if (record === null) throw pullRequestNotFound(id)
  const repository = await repositoryOf(host, record)
  if (repository.organizationId !== c.get('organizationId')) throw pullRequestNotFound(id)
  return record
}

function targetOf({ id, title }: { id: string; title: string }) {
  return { kind: 'pull-request', id, name: title }
}

/** Reflects the current state of its branches. */
async function readResource(c: AppContext, deps: ServerDeps, id: string) {
  const { record } = await reconcilePullRequest(deps.host, id, c.req.raw.signal)
  return toResource(deps, record)
}

async function toResource({ host }: ServerDeps, record: PullRequestRecord) {
  const repository = await repositoryOf(host, record)
  return {
    ...record,
    repository: repository.name,
    url: pullRequestUrl(host, record),
    draft: record.isDraft,
    head: { branch: record.headBranch, commit: record.headCommit },
    base: { branch: record.baseBranch, commit: record.baseCommit },
  }
}
