import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { listQuerySchema } from '../../contract/admin.ts'
import { AppError } from '../../contract/app-error.ts'
import { threadListSchema, threadQuerySchema, transcriptSchema } from '../../contract/threads.ts'
import { listFeedbackStates } from '../../store/feedback.ts'
import { listMessages } from '../../store/messages.ts'
import { summarizeThreads } from '../../store/thread-summaries.ts'
import { deleteThread } from '../../store/remove-threads.ts'
import { getThread, listThreads, type Thread } from '../../store/threads.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { findOwnSite } from '../own-site.ts'
import { recordAudit } from '../record-audit.ts'
import { reply } from '../reply.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const tags = ['Threads']
const security = [{ adminKey: [] }]
const siteParams = z.object({ id: z.string().meta({ description: 'The site, by id or slug.' }) })
const params = siteParams.extend({ threadId: z.string() })

const listRoute = createRoute({
  method: 'get',
  path: '/admin/v1/sites/{id}/threads',
  tags,
  security,
  summary: 'List the conversations of a site',
  request: { params: siteParams, query: threadQuerySchema },
  responses: {
    200: {
      description: 'Threads, last answered first.',
      content: { 'application/json': { schema: threadListSchema } },
    },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

const getRoute = createRoute({
  method: 'get',
  path: '/admin/v1/sites/{id}/threads/{threadId}',
  tags,
  security,
  summary: 'Read a conversation',
  description: '`limit` and `cursor` page through its messages.',
  request: { params, query: listQuerySchema },
  responses: {
    200: {
      description: 'The thread and its messages.',
      content: { 'application/json': { schema: transcriptSchema } },
    },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

const deleteRoute = createRoute({
  method: 'delete',
  path: '/admin/v1/sites/{id}/threads/{threadId}',
  tags,
  security,
  summary: 'Delete a conversation',
  description: 'Deletes its messages and the feedback on them as well.',
  request: { params },
  responses: { 204: { description: 'It is gone.' }, ...errorResponses(401, 403, 404, 503) },
})

export function addAdminThreads(app: DocentServer, parts: ServerParts): void {
  const db = () => parts.store.durable

  app.openapi(listRoute, async (c) => {
    const site = await findOwnSite(c, parts, c.req.valid('param').id)
    const { from, to, feedback, ...query } = c.req.valid('query')
    const { items, nextCursor } = await listThreads(db(), site.id, {
      ...query,
      from: from === undefined ? undefined : Date.parse(from),
      to: to === undefined ? undefined : Date.parse(to),
      isHelpful: feedback === undefined ? undefined : feedback === 'helpful',
    })
    const threadIds = items.map(({ id }) => id)
    const summaries = await summarizeThreads(db(), site.id, threadIds)
    const listed = items.map((thread) => ({ ...toResource(thread), ...(summaries.get(thread.id) ?? emptySummary) }))
    return reply(c, threadListSchema, { items: listed, nextCursor }, 200)
  })

  app.openapi(getRoute, async (c) => {
    const { id, threadId } = c.req.valid('param')
    const site = await findOwnSite(c, parts, id)
    const thread = await getThread(db(), site.id, threadId)
    if (thread === null) throw missingThread(site.slug, threadId)
    const { items, nextCursor } = await listMessages(db(), site.id, threadId, c.req.valid('query'))
    const said = await listFeedbackStates(
      db(),
      items.map((message) => message.id),
    )
    const messages = items.map((message) => ({
      ...message,
      createdAt: toIsoTime(message.createdAt),
      feedback: message.role === 'user' ? null : (said.get(message.id) ?? ('none' as const)),
    }))
    return reply(c, transcriptSchema, { ...toResource(thread), messages, nextCursor }, 200)
  })

  app.openapi(deleteRoute, async (c) => {
    const { id, threadId } = c.req.valid('param')
    const site = await findOwnSite(c, parts, id)
    if (!(await deleteThread(db(), site.id, threadId))) throw missingThread(site.slug, threadId)
    await recordAudit(c, parts, { action: 'thread-deleted', target: { kind: 'thread', id: threadId, name: site.slug } })
    return c.body(null, 204)
  })
}

/** Of a thread whose messages are on their way. */
const emptySummary = { question: null, questions: 0, verdict: null }

function missingThread(slug: string, threadId: string): AppError {
  return new AppError(
    'thread_not_found',
    `The site ${slug} has no thread ${threadId.slice(0, 128)}. List its threads to see their ids.`,
  )
}

function toResource({ id, fp, createdAt, updatedAt }: Thread) {
  return { id, fp, createdAt: toIsoTime(createdAt), updatedAt: toIsoTime(updatedAt) }
}
