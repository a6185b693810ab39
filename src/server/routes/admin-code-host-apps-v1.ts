import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { listQuerySchema } from '../../contract/admin.ts'
import { AppError } from '../../contract/app-error.ts'
import {
  codeHostAppCreateSchema,
  codeHostAppListSchema,
  type CodeHostAppResource,
  codeHostAppSchema,
} from '../../contract/code-host-apps.ts'
import { type CodeHostApp, deleteCodeHostApp, getCodeHostApp, listCodeHostApps } from '../../store/code-host-apps.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { recordAudit } from '../record-audit.ts'
import { reply } from '../reply.ts'
import { requireRole } from '../require-role.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'
import { storeCodeHostApp } from '../store-code-host-app.ts'

const tags = ['Code hosts']
const security = [{ adminKey: [] }]
const path = '/admin/v1/code-host-apps'

const listRoute = createRoute({
  method: 'get',
  path,
  tags,
  security,
  summary: 'List Apps on code hosts',
  description: 'Without their secrets.',
  request: { query: listQuerySchema },
  responses: {
    200: { description: 'By id.', content: { 'application/json': { schema: codeHostAppListSchema } } },
    ...errorResponses(400, 401, 403, 503),
  },
})

const createAppRoute = createRoute({
  method: 'post',
  path,
  tags,
  security,
  summary: 'Store an App on a code host',
  description:
    'Sites on that host are read with it, and their pull requests opened by it, unless they have a token of their own. An organization has one App per host.',
  request: { body: { required: true, content: { 'application/json': { schema: codeHostAppCreateSchema } } } },
  responses: {
    201: { description: 'The App.', content: { 'application/json': { schema: codeHostAppSchema } } },
    ...errorResponses(400, 401, 403, 409, 413, 415, 503),
  },
})

const deleteRoute = createRoute({
  method: 'delete',
  path: `${path}/{id}`,
  tags,
  security,
  summary: 'Delete a stored App',
  description: 'Its secrets are deleted here. The App itself stays on the code host: delete it there as well.',
  request: { params: z.object({ id: z.string() }) },
  responses: { 204: { description: 'It is gone.' }, ...errorResponses(401, 403, 404, 503) },
})

/** Apps are for owners alone: what they open is the organization's. */
export function addAdminCodeHostApps(app: DocentServer, parts: ServerParts): void {
  const db = parts.store.durable

  app.openapi(listRoute, async (c) => {
    requireRole(c, 'owner')
    const request = { ...c.req.valid('query'), organizationId: c.get('organizationId') }
    const { items, nextCursor } = await listCodeHostApps(db, request)
    return reply(c, codeHostAppListSchema, { items: items.map(toResource), nextCursor }, 200)
  })

  app.openapi(createAppRoute, async (c) => {
    const { webhookSecret = null, ...given } = c.req.valid('json')
    const organizationId = c.get('organizationId')
    const made = await storeCodeHostApp(c, parts, { ...given, organizationId, webhookSecret })
    return reply(c, codeHostAppSchema, toResource(made), 201)
  })

  app.openapi(deleteRoute, async (c) => {
    const found = await getCodeHostApp(db, c.req.valid('param').id)
    if (found?.organizationId !== c.get('organizationId')) {
      throw new AppError('not_found', 'There is no such App. List the Apps to see their ids.')
    }
    await deleteCodeHostApp(db, found.id)
    await recordAudit(c, parts, {
      action: 'code_host_app-deleted',
      target: { kind: 'code_host_app', id: found.id, name: found.slug },
    })
    return c.body(null, 204)
  })
}

function toResource(app: CodeHostApp): CodeHostAppResource {
  const { id, kind, origin, appId, slug, createdAt, webhookSecretSealed, hasVerifiedCommits } = app
  const below = new URL(origin).host === 'github.com' ? 'apps' : 'github-apps'
  return {
    id,
    kind,
    origin,
    appId,
    slug,
    hasWebhookSecret: webhookSecretSealed !== null,
    hasVerifiedCommits,
    installUrl: `${origin}/${below}/${slug}/installations/new`,
    createdAt: toIsoTime(createdAt),
  }
}
