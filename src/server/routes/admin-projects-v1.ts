import { createRoute } from '@hono/zod-openapi'
import { listQuerySchema, projectListSchema, type ProjectResource } from '../../contract/admin.ts'
import { listProjects, type Project } from '../../store/projects.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { reply } from '../reply.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const listRoute = createRoute({
  method: 'get',
  path: '/admin/v1/projects',
  tags: ['Projects'],
  summary: 'List projects',
  security: [{ adminKey: [] }],
  request: { query: listQuerySchema },
  responses: {
    200: { description: 'Projects by id.', content: { 'application/json': { schema: projectListSchema } } },
    ...errorResponses(400, 401, 403, 503),
  },
})

export function addAdminProjects(app: DocentServer, { store }: ServerParts): void {
  app.openapi(listRoute, async (c) => {
    const request = { ...c.req.valid('query'), organizationId: c.get('organizationId') }
    const { items, nextCursor } = await listProjects(store.durable, request)
    return reply(c, projectListSchema, { items: items.map(toResource), nextCursor }, 200)
  })
}

function toResource({ id, name, createdAt }: Project): ProjectResource {
  return { id, name, createdAt: toIsoTime(createdAt) }
}
