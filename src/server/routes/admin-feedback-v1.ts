import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { listQuerySchema } from '../../contract/admin.ts'
import { feedbackListSchema } from '../../contract/feedback.ts'
import { listFeedback } from '../../store/feedback.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { findOwnSite } from '../own-site.ts'
import { reply } from '../reply.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const listRoute = createRoute({
  method: 'get',
  path: '/admin/v1/feedback',
  tags: ['Feedback'],
  security: [{ adminKey: [] }],
  summary: 'List feedback',
  request: {
    query: listQuerySchema.extend({
      siteId: z.string().optional().meta({ description: 'Only feedback on this site, by id or slug.' }),
      helpful: z.enum(['true', 'false']).optional().meta({ description: 'Only what helped, or only what did not.' }),
    }),
  },
  responses: {
    200: { description: 'Feedback, newest first.', content: { 'application/json': { schema: feedbackListSchema } } },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

export function addAdminFeedback(app: DocentServer, parts: ServerParts): void {
  app.openapi(listRoute, async (c) => {
    const { siteId, helpful, ...page } = c.req.valid('query')
    const site = siteId === undefined ? undefined : await findOwnSite(c, parts, siteId)
    const { items, nextCursor } = await listFeedback(parts.store.durable, {
      ...page,
      organizationId: c.get('organizationId'),
      siteId: site?.id,
      isHelpful: helpful === undefined ? undefined : helpful === 'true',
    })
    const resources = items.map(({ isHelpful, createdAt, updatedAt, ...item }) => ({
      ...item,
      helpful: isHelpful,
      createdAt: toIsoTime(createdAt),
      updatedAt: toIsoTime(updatedAt),
    }))
    return reply(c, feedbackListSchema, { items: resources, nextCursor }, 200)
  })
}
