import { createRoute } from '@hono/zod-openapi'
import {
  buildInfoSchema,
  errorCountListSchema,
  errorCountQuerySchema,
  healthSchema,
  queueListSchema,
} from '../../contract/service-health.ts'
import { readQueueDepths } from '../../store/queue-depths.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { apiVersion } from '../openapi.ts'
import { reply } from '../reply.ts'
import { localOrganizationId } from '../require-admin.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const tags = ['Operations']
const security = [{ adminKey: [] }]

const healthRoute = createRoute({
  method: 'get',
  path: '/admin/v1/operations/health',
  tags,
  security,
  summary: 'How everything is',
  description:
    'What the service stands on, part by part, in sentences. Calls no model and no host: it reads what their last use came to.',
  responses: {
    200: { description: 'The parts.', content: { 'application/json': { schema: healthSchema } } },
    ...errorResponses(401, 403, 503),
  },
})

const queueRoute = createRoute({
  method: 'get',
  path: '/admin/v1/operations/queue',
  tags,
  security,
  summary: 'Work that waits and runs',
  responses: {
    200: { description: 'By kind of work.', content: { 'application/json': { schema: queueListSchema } } },
    ...errorResponses(401, 403, 503),
  },
})

const errorsRoute = createRoute({
  method: 'get',
  path: '/admin/v1/operations/errors',
  tags,
  security,
  summary: 'Errors by code and hour',
  description:
    'Counts the errors that were answered to the organization, newest hour first; for the first organization also those of requests without a valid key.',
  request: { query: errorCountQuerySchema },
  responses: {
    200: { description: 'The counts.', content: { 'application/json': { schema: errorCountListSchema } } },
    ...errorResponses(400, 401, 403, 503),
  },
})

const buildRoute = createRoute({
  method: 'get',
  path: '/admin/v1/operations/build',
  tags,
  security,
  summary: 'What runs',
  responses: {
    200: { description: 'This process.', content: { 'application/json': { schema: buildInfoSchema } } },
    ...errorResponses(401, 403, 503),
  },
})

const hourMs = 3_600_000

export function addAdminOperations(app: DocentServer, { store, clock, operations }: ServerParts): void {
  app.openapi(healthRoute, async (c) => {
    const { checkedAt, ...report } = await operations.health.read(c.get('organizationId'))
    return reply(c, healthSchema, { ...report, checkedAt: toIsoTime(checkedAt) }, 200)
  })

  app.openapi(queueRoute, async (c) => {
    const depths = await readQueueDepths(store.durable, { organizationId: c.get('organizationId'), now: clock.now() })
    const items = depths.map((depth) => ({ ...depth, oldestAt: toIsoTime(depth.oldestAt) }))
    return reply(c, queueListSchema, { items, nextCursor: null }, 200)
  })

  app.openapi(errorsRoute, async (c) => {
    const organizationId = c.get('organizationId')
    const thisHour = Math.floor(clock.now() / hourMs) * hourMs
    const since = thisHour - (c.req.valid('query').hours - 1) * hourMs
    const withInstallation = organizationId === localOrganizationId
    const counts = await operations.errors.list({ organizationId, withInstallation, since })
    const items = counts.map(({ code, hourAt, count }) => ({ code, hour: toIsoTime(hourAt), count }))
    return reply(c, errorCountListSchema, { items, nextCursor: null }, 200)
  })

  app.openapi(buildRoute, (c) => {
    const info = {
      version: apiVersion,
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      database: store.dialect,
      startedAt: toIsoTime(operations.startedAt),
      memoryBytes: process.memoryUsage.rss(),
    }
    return reply(c, buildInfoSchema, info, 200)
  })
}
