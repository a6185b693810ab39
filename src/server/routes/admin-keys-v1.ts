import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { changeKey } from '../../access/change-key.ts'
import { createKey } from '../../access/create-key.ts'
import {
  keyCreatedSchema,
  keyCreateSchema,
  keyListSchema,
  type KeyResource,
  keySchema,
  keyUpdateSchema,
  listQuerySchema,
} from '../../contract/admin.ts'
import { AppError } from '../../contract/app-error.ts'
import { type ApiKey, getKey, listKeys, revokeKey } from '../../store/keys.ts'
import { toIsoTime } from '../iso-time.ts'
import type { AppContext } from '../app-env.ts'
import type { DocentServer } from '../create-server.ts'
import { findOwnSite } from '../own-site.ts'
import { recordAudit } from '../record-audit.ts'
import { reply } from '../reply.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const tags = ['Keys']
const security = [{ adminKey: [] }]
const params = z.object({ id: z.string() })
const keyContent = { 'application/json': { schema: keySchema } }

const listRoute = createRoute({
  method: 'get',
  path: '/admin/v1/keys',
  tags,
  security,
  summary: 'List keys',
  request: {
    query: listQuerySchema.extend({
      siteId: z.string().optional().meta({ description: 'Only keys of this site, by id or slug.' }),
    }),
  },
  responses: {
    200: {
      description: 'Keys, newest first, revoked ones included.',
      content: { 'application/json': { schema: keyListSchema } },
    },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

const createKeyRoute = createRoute({
  method: 'post',
  path: '/admin/v1/keys',
  tags,
  security,
  summary: 'Create a key',
  request: { body: { required: true, content: { 'application/json': { schema: keyCreateSchema } } } },
  responses: {
    201: {
      description: 'The key. `secret` is shown this once.',
      content: { 'application/json': { schema: keyCreatedSchema } },
    },
    ...errorResponses(400, 401, 403, 404, 413, 415, 503),
  },
})

const getRoute = createRoute({
  method: 'get',
  path: '/admin/v1/keys/{id}',
  tags,
  security,
  summary: 'Get a key',
  request: { params },
  responses: { 200: { description: 'The key.', content: keyContent }, ...errorResponses(401, 403, 404, 503) },
})

const updateRoute = createRoute({
  method: 'patch',
  path: '/admin/v1/keys/{id}',
  tags,
  security,
  summary: 'Change a key',
  description:
    'Changes only the fields in the body. Takes effect at once in this process and within five seconds in the others. A revoked key cannot be changed.',
  request: { params, body: { required: true, content: { 'application/json': { schema: keyUpdateSchema } } } },
  responses: {
    200: { description: 'The key.', content: keyContent },
    ...errorResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
})

const revokeRoute = createRoute({
  method: 'post',
  path: '/admin/v1/keys/{id}/revoke',
  tags,
  security,
  summary: 'Revoke a key',
  description: 'Holds at once in this process and within five seconds in every other. Revoking twice changes nothing.',
  request: { params },
  responses: { 200: { description: 'The key.', content: keyContent }, ...errorResponses(401, 403, 404, 503) },
})

export function addAdminKeys(app: DocentServer, parts: ServerParts): void {
  const { store, keys, clock } = parts

  app.openapi(listRoute, async (c) => {
    const { siteId, ...page } = c.req.valid('query')
    const site = siteId === undefined ? undefined : await findOwnSite(c, parts, siteId)
    const request = { ...page, siteId: site?.id, organizationId: c.get('organizationId') }
    const { items, nextCursor } = await listKeys(store.durable, request)
    return reply(c, keyListSchema, { items: items.map(toResource), nextCursor }, 200)
  })

  app.openapi(createKeyRoute, async (c) => {
    const input = c.req.valid('json')
    const site = input.siteId == null ? null : await findOwnSite(c, parts, input.siteId)
    const { key, secret } = await createKey(parts, {
      ...input,
      siteId: site?.id,
      organizationId: c.get('organizationId'),
    })
    keys.forget()
    await recordAudit(c, parts, { action: 'key-created', target: targetOf(key) })
    return reply(c, keyCreatedSchema, { ...toResource(key), secret }, 201)
  })

  app.openapi(getRoute, async (c) =>
    reply(c, keySchema, toResource(await findOwnKey(c, parts, c.req.valid('param').id)), 200),
  )

  app.openapi(updateRoute, async (c) => {
    const before = await findOwnKey(c, parts, c.req.valid('param').id)
    const { key, changes } = await changeKey(parts, before, c.req.valid('json'))
    keys.forget()
    if (changes.length > 0) await recordAudit(c, parts, { action: 'key-changed', target: targetOf(key), changes })
    return reply(c, keySchema, toResource(key), 200)
  })

  app.openapi(revokeRoute, async (c) => {
    const { id } = await findOwnKey(c, parts, c.req.valid('param').id)
    const revoked = await revokeKey(store.durable, id, clock.now())
    keys.forget()
    if (revoked === null) throw missingKey(id)
    await recordAudit(c, parts, { action: 'key-revoked', target: targetOf(revoked) })
    return reply(c, keySchema, toResource(revoked), 200)
  })
}

async function findOwnKey(c: AppContext, { store }: ServerParts, id: string): Promise<ApiKey> {
  const key = await getKey(store.durable, id)
  if (key === null || key.organizationId !== c.get('organizationId')) throw missingKey(id)
  return key
}

function targetOf({ id, name }: ApiKey) {
  return { kind: 'key', id, name }
}

function missingKey(id: string): AppError {
  return new AppError('not_found', `There is no key ${id.slice(0, 100)}. List the keys to see their ids.`)
}

function toResource(key: ApiKey): KeyResource {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    hint: key.hint,
    siteId: key.siteId,
    scopes: key.scopes,
    ipRanges: key.ipRanges,
    origins: key.origins,
    groups: key.groups,
    purpose: key.purpose,
    session: key.session,
    normalPerMinute: key.normalPerMinute,
    networkPerMinute: key.networkPerMinute,
    networkPerDay: key.networkPerDay,
    networkSharePercent: key.networkSharePercent,
    createdAt: toIsoTime(key.createdAt),
    expiresAt: toIsoTime(key.expiresAt),
    lastUsedAt: toIsoTime(key.lastUsedAt),
    revokedAt: toIsoTime(key.revokedAt),
  }
}
