import { addComment } from '../../codehost/builtin/add-comment.ts'
import { closePullRequest, openBuiltinCodeHost } from '../../codehost/builtin/builtin-code-host.ts'
import { repositoryOf, requireRepository } from '../../codehost/builtin/builtin-host-deps.ts'
import { mergePullRequest } from '../../codehost/builtin/merge-pull-request.ts'
import { reopenPullRequest } from '../../codehost/builtin/reopen-pull-request.ts'
import { revertPullRequest } from '../../codehost/builtin/revert-pull-request.ts'
import { updateBranch } from '../../codehost/builtin/update-branch.ts'
import type { pullRequestOperations } from '../../contract/operations/pull-requests.ts'
import { listPullRequests } from '../../store/hosting/pull-requests.ts'
import { requireRole } from '../requests/require-role.ts'
import { findOwn, personOf, readResource, targetOf, toResource } from '../resources/pull-request-resource.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'
import { createPullRequestReviewHandlers } from './pull-request-reviews.ts'

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
        { branch, base: base ?? null, title, body, isDraft: draft, jobId: null, authorId: personOf(c).id, checks: [] },
        c.req.raw.signal,
      )
      const opened = await readResource(c, deps, id)
      return { reply: opened, audit: { target: targetOf(opened) } }
    },

    getPullRequest: async ({ c, params }) => {
      const { id } = await findOwn(c, deps, params.id)
      return readResource(c, deps, id)
    },

    updatePullRequest: async ({ c, params, body: { title, body, draft } }) => {
      const record = await findOwn(c, deps, params.id)
      const { id } = record
      const own = openBuiltinCodeHost(host, await repositoryOf(host, record))
      const change = { id, ...(title !== undefined && { title }), ...(body !== undefined && { body }) }
      await own.updatePullRequest({ ...change, ...(draft !== undefined && { isDraft: draft }) }, c.req.raw.signal)
      return { reply: () => readResource(c, deps, id), audit: { target: targetOf(record) } }
    },

    mergePullRequest: async ({ c, params, body: { head, override, method, message } }) => {
      if (override != null) requireRole(c, 'owner')
      const { id } = await findOwn(c, deps, params.id)
      const input = {
        id,
        expectedHead: head ?? null,
        by: c.get('actorName'),
        override: override ?? null,
        method,
        message: message ?? null,
      }
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
      const asked = body.asksAgent === true ? `@${deps.agentMention} ` : ''
      const comment = { body: `${asked}${body.body}`, author: c.get('actorName'), by: personOf(c) }
      const reply = await addComment(host, { id: record.id, ...comment })
      deps.wakeWebhooks()
      return { reply, audit: { target: targetOf(record) } }
    },

    reopenPullRequest: async ({ c, params }) => {
      const { id } = await findOwn(c, deps, params.id)
      const reopened = await reopenPullRequest(host, id, c.req.raw.signal)
      return { reply: () => toResource(deps, reopened), audit: { target: targetOf(reopened) } }
    },

    updatePullRequestBranch: async ({ c, params, body: { head } }) => {
      const record = await findOwn(c, deps, params.id)
      await updateBranch(host, { id: record.id, head, by: personOf(c) }, c.req.raw.signal)
      return { reply: () => readResource(c, deps, record.id), audit: { target: targetOf(record) } }
    },

    revertPullRequest: async ({ c, params }) => {
      const { id } = await findOwn(c, deps, params.id)
      const made = await revertPullRequest(host, { id, by: personOf(c) }, c.req.raw.signal)
      const opened = await readResource(c, deps, made)
      return { reply: opened, audit: { target: targetOf(opened) } }
    },

    ...createPullRequestReviewHandlers(deps),
  }
}
