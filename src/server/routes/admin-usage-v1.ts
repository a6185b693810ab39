import { createRoute } from '@hono/zod-openapi'
import { windowBounds } from '../../access/limit-windows.ts'
import { listQuerySchema } from '../../contract/admin.ts'
import { chooseCeiling, readSiteSettings } from '../../contract/site-settings.ts'
import { keyUsageListSchema, limitUsageListSchema } from '../../contract/usage.ts'
import { readLimitUsage } from '../../insights/read-usage.ts'
import { listKeys } from '../../store/keys.ts'
import { getOrganization } from '../../store/organizations.ts'
import { readCounts } from '../../store/read-counters.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { reply } from '../reply.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const tags = ['Usage']
const security = [{ adminKey: [] }]

const keysRoute = createRoute({
  method: 'get',
  path: '/admin/v1/usage/keys',
  tags,
  security,
  summary: 'Use of assistant keys',
  description: 'What each assistant key has used of its answers in this UTC month.',
  request: { query: listQuerySchema },
  responses: {
    200: { description: 'Keys, the newest first.', content: { 'application/json': { schema: keyUsageListSchema } } },
    ...errorResponses(400, 401, 403, 503),
  },
})

const limitsRoute = createRoute({
  method: 'get',
  path: '/admin/v1/usage/limits',
  tags,
  security,
  summary: 'Use of the limits',
  description: 'What is used of each limit of the organization, in the window that runs now.',
  responses: {
    200: { description: 'The limits.', content: { 'application/json': { schema: limitUsageListSchema } } },
    ...errorResponses(401, 403, 503),
  },
})

export function addAdminUsage(app: DocentServer, parts: ServerParts): void {
  const { store, clock, limits } = parts

  app.openapi(keysRoute, async (c) => {
    const organizationId = c.get('organizationId')
    const request = { ...c.req.valid('query'), organizationId, kind: 'assistant' as const }
    const { items, nextCursor } = await listKeys(store.durable, request)
    const { startsAt, endsAt } = windowBounds('month', clock.now())
    const subjects = items.map(({ id }) => id)
    const counts = await readCounts(store.relaxed, { name: 'key', windowStart: startsAt, subjects })
    const usages = items.map(({ id, name, hint, siteId, lastUsedAt, revokedAt }) => ({
      id,
      name,
      hint,
      siteId,
      lastUsedAt: toIsoTime(lastUsedAt),
      revokedAt: toIsoTime(revokedAt),
      used: counts.get(id) ?? 0,
      max: limits.keyPerMonth,
      resetsAt: toIsoTime(endsAt),
    }))
    return reply(c, keyUsageListSchema, { items: usages, nextCursor }, 200)
  })

  app.openapi(limitsRoute, async (c) => {
    const id = c.get('organizationId')
    const now = clock.now()
    const items = await readLimitUsage({
      store,
      limits,
      organization: { id, name: (await getOrganization(store.durable, id))?.name ?? id },
      windows: { hour: windowBounds('hour', now), day: windowBounds('day', now) },
      readCeiling: ({ settings }) =>
        chooseCeiling(readSiteSettings(settings).dailyCostUsdMax, parts.answers.siteCeilings.usd),
    })
    return reply(c, limitUsageListSchema, { items, nextCursor: null }, 200)
  })
}
