import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { trialCounters } from '../../assistant/try-answer.ts'
import {
  askedQuestionListSchema,
  exportQuerySchema,
  insightsSummarySchema,
  questionQuerySchema,
  summaryQuerySchema,
  topicListSchema,
  topicQuerySchema,
} from '../../contract/insights.ts'
import { readErrorDetails } from '../../contract/error-details.ts'
import { groupTopics } from '../../insights/group-topics.ts'
import { summarizeQuestions } from '../../insights/summarize-questions.ts'
import { listAskedQuestions } from '../../store/asked-questions.ts'
import { toAskedQuestionResource } from '../asked-question-resource.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { readQuestionFilter, requireFewBuckets } from '../question-period.ts'
import { invalidRequest } from '../read-json.ts'
import { reply } from '../reply.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'
import { exportQuestions, toByteStream } from '../streams/export-questions.ts'

const tags = ['Insights']
const security = [{ adminKey: [] }]

const summaryRoute = createRoute({
  method: 'get',
  path: '/admin/v1/insights/summary',
  tags,
  security,
  summary: 'Count the questions of a period',
  request: { query: summaryQuerySchema },
  responses: {
    200: {
      description: 'Over time, and by what they have in common.',
      content: { 'application/json': { schema: insightsSummarySchema } },
    },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

const questionsRoute = createRoute({
  method: 'get',
  path: '/admin/v1/insights/questions',
  tags,
  security,
  summary: 'List questions',
  request: { query: questionQuerySchema },
  responses: {
    200: {
      description: 'Questions with their answers, the newest first.',
      content: { 'application/json': { schema: askedQuestionListSchema } },
    },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

const topicsRoute = createRoute({
  method: 'get',
  path: '/admin/v1/insights/topics',
  tags,
  security,
  summary: 'List what is asked most',
  description: 'Groups the newest 2,000 questions of the period by the words that they share, without a model.',
  request: { query: topicQuerySchema },
  responses: {
    200: { description: 'The most asked first.', content: { 'application/json': { schema: topicListSchema } } },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

const exportRoute = createRoute({
  method: 'get',
  path: '/admin/v1/insights/export',
  tags,
  security,
  summary: 'Export questions',
  description:
    'All questions of the period with their answers, as CSV or JSON. Cells of CSV that a spreadsheet would take for a formula begin with an apostrophe.',
  request: { query: exportQuerySchema },
  responses: {
    200: {
      description: 'The file.',
      content: { 'text/csv': { schema: z.string() }, 'application/json': { schema: askedQuestionListSchema } },
    },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

export function addAdminInsights(app: DocentServer, parts: ServerParts): void {
  const { store } = parts

  app.openapi(summaryRoute, async (c) => {
    const { bucket, ...query } = c.req.valid('query')
    const filter = await readQuestionFilter(c, parts, query)
    requireFewBuckets(bucket, filter)
    const summary = await summarizeQuestions(store, { filter, bucket, trialCounters })
    return reply(c, insightsSummarySchema, summary, 200)
  })

  app.openapi(questionsRoute, async (c) => {
    const { limit, cursor, ...query } = c.req.valid('query')
    const filter = await readQuestionFilter(c, parts, query)
    const { items, nextCursor } = await listAskedQuestions(store.durable, filter, { limit, cursor })
    return reply(c, askedQuestionListSchema, { items: items.map(toAskedQuestionResource), nextCursor }, 200)
  })

  app.openapi(topicsRoute, async (c) => {
    const { limit, ...query } = c.req.valid('query')
    const { topics, questions } = await groupTopics(parts, await readQuestionFilter(c, parts, query), limit)
    const items = topics.map(({ lastAskedAt, ...topic }) => ({ ...topic, lastAskedAt: toIsoTime(lastAskedAt) }))
    return reply(c, topicListSchema, { items, nextCursor: null, questions }, 200)
  })

  app.openAPIRegistry.registerPath(exportRoute)
  app.get('/admin/v1/insights/export', async (c) => {
    const { format, ...query } = readExportQuery(c.req.query())
    const filter = await readQuestionFilter(c, parts, query)
    const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json'
    return c.body(toByteStream(exportQuestions(store, filter, format)), 200, {
      'content-type': type,
      'content-disposition': `attachment; filename="questions.${format}"`,
      'cache-control': 'no-store',
    })
  })
}

function readExportQuery(query: Record<string, string>): z.output<typeof exportQuerySchema> {
  const parsed = exportQuerySchema.safeParse(query)
  if (!parsed.success) throw invalidRequest(readErrorDetails(parsed.error))
  return parsed.data
}
