import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { addComment, closePullRequest, openBuiltinCodeHost } from '../../codehost/builtin/builtin-code-host.ts'
import { pullRequestUrl, repositoryOf, requireRepository } from '../../codehost/builtin/builtin-host-deps.ts'
import { pullRequestNotFound } from '../../codehost/pull-request-number.ts'
import { mergePullRequest } from '../../codehost/builtin/merge-pull-request.ts'
import { reconcilePullRequest } from '../../codehost/builtin/reconcile-pull-request.ts'
import { listQuerySchema } from '../../contract/admin.ts'
import {
  commentCreateSchema,
  commentSchema,
  pullRequestCreateSchema,
  pullRequestListSchema,
  pullRequestMergeSchema,
  type PullRequestResource,
  pullRequestSchema,
  pullRequestStates,
} from '../../contract/pull-requests.ts'
import { getPullRequest, listPullRequests, type PullRequestRecord } from '../../store/pull-requests.ts'
import type { AppContext } from '../app-env.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { recordAudit } from '../record-audit.ts'
import { reply } from '../reply.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const tags = ['Pull requests']
const security = [{ adminKey: [] }]
const params = z.object({ id: z.string() })
const content = { 'application/json': { schema: pullRequestSchema } }
const pullRequest = { 200: { description: 'The pull request.', content } }

const listRoute = createRoute({
  method: 'get',
  path: '/admin/v1/pull-requests',
  tags,
  security,
  summary: 'List pull requests of the built-in host',
  request: {
    query: listQuerySchema.extend({
      repository: z.string().optional().meta({ description: 'Only those of this repository, such as `default/docs`.' }),
      state: z.enum(pullRequestStates).optional(),
    }),
  },
  responses: {
    200: { description: 'Newest first.', content: { 'application/json': { schema: pullRequestListSchema } } },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

const openRoute = createRoute({
  method: 'post',
  path: '/admin/v1/pull-requests',
  tags,
  security,
  summary: 'Open a pull request for a branch',
  description: 'A branch has one open pull request: where there is one, it gets the new title and description.',
  request: { body: { required: true, content: { 'application/json': { schema: pullRequestCreateSchema } } } },
  responses: {
    201: { description: 'The pull request.', content },
    ...errorResponses(400, 401, 403, 404, 413, 415, 503),
  },
})

const getRoute = createRoute({
  method: 'get',
  path: '/admin/v1/pull-requests/{id}',
  tags,
  security,
  summary: 'Get a pull request',
  request: { params },
  responses: { ...pullRequest, ...errorResponses(401, 403, 404, 503) },
})

const mergeRoute = createRoute({
  method: 'post',
  path: '/admin/v1/pull-requests/{id}/merge',
  tags,
  security,
  summary: 'Merge a pull request',
  description: 'Makes a merge commit on the base branch and syncs the sites that follow it.',
  request: { params, body: { content: { 'application/json': { schema: pullRequestMergeSchema } } } },
  responses: { ...pullRequest, ...errorResponses(400, 401, 403, 404, 409, 503) },
})

const closeRoute = createRoute({
  method: 'post',
  path: '/admin/v1/pull-requests/{id}/close',
  tags,
  security,
  summary: 'Close a pull request without merging',
  description: 'One that has ended stays as it is.',
  request: { params },
  responses: { ...pullRequest, ...errorResponses(401, 403, 404, 503) },
})

const commentRoute = createRoute({
  method: 'post',
  path: '/admin/v1/pull-requests/{id}/comments',
  tags,
  security,
  summary: 'Comment on a pull request',
  request: { params, body: { required: true, content: { 'application/json': { schema: commentCreateSchema } } } },
  responses: {
    201: { description: 'The comment.', content: { 'application/json': { schema: commentSchema } } },
    ...errorResponses(400, 401, 403, 404, 413, 415, 503),
  },
})

export function addAdminPullRequests(app: DocentServer, parts: ServerParts): void {
  const { host, store } = parts

  app.openapi(listRoute, async (c) => {
    const { repository: name, state, ...page } = c.req.valid('query')
    const organizationId = c.get('organizationId')
    const repository = name === undefined ? undefined : await requireRepository(host, organizationId, name)
    const request = { ...page, organizationId, repositoryId: repository?.id, state }
    const { items, nextCursor } = await listPullRequests(store.durable, request)
    const resources = await Promise.all(items.map((record) => toResource(parts, record)))
    return reply(c, pullRequestListSchema, { items: resources, nextCursor }, 200)
  })

  app.openapi(openRoute, async (c) => {
    const { repository: name, branch, base, title, body, draft } = c.req.valid('json')
    const repository = await requireRepository(host, c.get('organizationId'), name)
    const { id } = await openBuiltinCodeHost(host, repository).openPullRequest(
      { branch, base: base ?? null, title, body, isDraft: draft, jobId: null, checks: [] },
      c.req.raw.signal,
    )
    const opened = await readResource(c, parts, id)
    await recordAudit(c, parts, { action: 'pull-request-opened', target: targetOf(opened) })
    return reply(c, pullRequestSchema, opened, 201)
  })

  app.openapi(getRoute, async (c) => {
    const { id } = await findOwn(c, parts, c.req.valid('param').id)
    return reply(c, pullRequestSchema, await readResource(c, parts, id), 200)
  })

  app.openapi(mergeRoute, async (c) => {
    const { id } = await findOwn(c, parts, c.req.valid('param').id)
    const { head } = c.req.valid('json')
    const input = { id, expectedHead: head ?? null, by: c.get('actorName') }
    const merged = await mergePullRequest(host, input, c.req.raw.signal)
    await recordAudit(c, parts, { action: 'pull-request-merged', target: targetOf(merged) })
    return reply(c, pullRequestSchema, await toResource(parts, merged), 200)
  })

  app.openapi(closeRoute, async (c) => {
    const { id } = await findOwn(c, parts, c.req.valid('param').id)
    const closed = await closePullRequest(host, id, c.get('actorName'), c.req.raw.signal)
    await recordAudit(c, parts, { action: 'pull-request-closed', target: targetOf(closed) })
    return reply(c, pullRequestSchema, await toResource(parts, closed), 200)
  })

  app.openapi(commentRoute, async (c) => {
    const record = await findOwn(c, parts, c.req.valid('param').id)
    const { id } = record
    const comment = { body: c.req.valid('json').body, author: c.get('actorName') }
    const made = await addComment(host, { id, ...comment })
    await recordAudit(c, parts, { action: 'pull-request-commented', target: targetOf(record) })
    return reply(c, commentSchema, { ...comment, id: made.id, createdAt: toIsoTime(made.createdAt) }, 201)
  })
}

/** @throws {AppError} `pull_request_not_found`, also for one of another organization. */
async function findOwn(c: AppContext, { host, store }: ServerParts, id: string): Promise<PullRequestRecord> {
  const record = await getPullRequest(store.durable, id)
  if (record === null) throw pullRequestNotFound(id)
  const repository = await repositoryOf(host, record)
  if (repository.organizationId !== c.get('organizationId')) throw pullRequestNotFound(id)
  return record
}

function targetOf({ id, title }: { id: string; title: string }) {
  return { kind: 'pull-request', id, name: title }
}

/** As its branches are now. */
async function readResource(c: AppContext, parts: ServerParts, id: string): Promise<PullRequestResource> {
  const { record } = await reconcilePullRequest(parts.host, id, c.req.raw.signal)
  return toResource(parts, record)
}

async function toResource({ host }: ServerParts, record: PullRequestRecord): Promise<PullRequestResource> {
  const { id, number, state, title, body, mergeCommit, jobId, checks } = record
  const repository = await repositoryOf(host, record)
  return {
    id,
    number,
    state,
    title,
    body,
    mergeCommit,
    jobId,
    checks,
    repository: repository.name,
    url: pullRequestUrl(host, record),
    draft: record.isDraft,
    head: { branch: record.headBranch, commit: record.headCommit },
    base: { branch: record.baseBranch, commit: record.baseCommit },
    createdAt: toIsoTime(record.createdAt),
    updatedAt: toIsoTime(record.updatedAt),
    endedAt: toIsoTime(record.endedAt),
  }
}
