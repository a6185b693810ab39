import { createRoute } from '@hono/zod-openapi'
import { type AuditEntryResource, auditListSchema, auditQuerySchema } from '../../contract/accounts.ts'
import { type AuditEntry, listAuditEntries } from '../../store/audit-log.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { reply } from '../reply.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const listRoute = createRoute({
  method: 'get',
  path: '/admin/v1/audit-log',
  tags: ['Accounts'],
  security: [{ adminKey: [] }],
  summary: 'List who has changed what',
  description: 'Needs an owner, or a key with the scope `write`.',
  request: { query: auditQuerySchema },
  responses: {
    200: { description: 'Entries, newest first.', content: { 'application/json': { schema: auditListSchema } } },
    ...errorResponses(400, 401, 403, 503),
  },
})

/** Mounts the audit log, which is only read. */
export function addAdminAuditLog(app: DocentServer, { store }: ServerParts): void {
  app.openapi(listRoute, async (c) => {
    const { since, until, ...query } = c.req.valid('query')
    const { items, nextCursor } = await listAuditEntries(store.durable, {
      ...query,
      organizationId: c.get('organizationId'),
      since: since === undefined ? undefined : Date.parse(since),
      until: until === undefined ? undefined : Date.parse(until),
    })
    return reply(c, auditListSchema, { items: items.map(toResource), nextCursor }, 200)
  })
}

function toResource({ id, actor, address, action, target, changes, createdAt }: AuditEntry): AuditEntryResource {
  return { id, actor, address, action, target, changes: changes ?? [], createdAt: toIsoTime(createdAt) }
}
