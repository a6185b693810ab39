import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import {
  contextRepositoryCheckedSchema,
  contextRepositoryCreateSchema,
  contextRepositoryListSchema,
  contextRepositoryUpdateSchema,
} from '../../contract/context-repositories.ts'
import {
  addContextRepository,
  changeContextRepository,
  type CheckedContext,
  removeContextRepository,
} from '../../sites/manage-context-repositories.ts'
import { type ContextRepository, listContextRepositories } from '../../store/context-repositories.ts'
import type { AppContext } from '../app-env.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { findOwnSite } from '../own-site.ts'
import { recordAudit } from '../record-audit.ts'
import { reply } from '../reply.ts'
import { requireSourceFolder } from '../require-source-folder.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const tags = ['Context repositories']
const security = [{ adminKey: [] }]
const path = '/admin/v1/sites/{id}/context-repositories'
const siteParams = z.object({ id: z.string().meta({ description: 'The site, by id or slug.' }) })
const params = siteParams.extend({ name: z.string().meta({ description: 'Name or id.' }) })
const json = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } })

/** Longest time for trying one out. */
const checkMsMax = 60_000

const listRoute = createRoute({
  method: 'get',
  path,
  tags,
  security,
  summary: 'List the context repositories of a site',
  description: 'What the agent may read beside the repository that it edits. Without their credentials.',
  request: { params: siteParams },
  responses: {
    200: { description: 'By name.', content: json(contextRepositoryListSchema) },
    ...errorResponses(401, 403, 404, 503),
  },
})

const addRoute = createRoute({
  method: 'post',
  path,
  tags,
  security,
  summary: 'Add a context repository',
  description: 'Asks the repository for its branch first; one that cannot be read is not added. At most 10 a site.',
  request: { params: siteParams, body: { required: true, content: json(contextRepositoryCreateSchema) } },
  responses: {
    201: { description: 'The context repository.', content: json(contextRepositoryCheckedSchema) },
    ...errorResponses(400, 401, 403, 404, 409, 413, 415, 422, 503),
  },
})

const changeRoute = createRoute({
  method: 'patch',
  path: `${path}/{name}`,
  tags,
  security,
  summary: 'Change a context repository',
  description: 'Asks the repository for its branch first, as when it is added.',
  request: { params, body: { required: true, content: json(contextRepositoryUpdateSchema) } },
  responses: {
    200: { description: 'The context repository.', content: json(contextRepositoryCheckedSchema) },
    ...errorResponses(400, 401, 403, 404, 413, 415, 422, 503),
  },
})

const removeRoute = createRoute({
  method: 'delete',
  path: `${path}/{name}`,
  tags,
  security,
  summary: 'Remove a context repository',
  description: 'Refused while an automation runs when it changes.',
  request: { params },
  responses: { 204: { description: 'It is gone.' }, ...errorResponses(401, 403, 404, 409, 503) },
})

/** Mounts the repositories that agents read beside those of sites. */
export function addAdminContextRepositories(app: DocentServer, parts: ServerParts): void {
  const db = parts.store.durable
  const deps = () => ({ ...parts, contexts: parts.agent.contexts })
  const limit = (c: AppContext) => AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(checkMsMax)])

  app.openapi(listRoute, async (c) => {
    const { id: siteId } = await findOwnSite(c, parts, c.req.valid('param').id)
    const items = await listContextRepositories(db, { siteId })
    return reply(c, contextRepositoryListSchema, { items: items.map(toResource) }, 200)
  })

  app.openapi(addRoute, async (c) => {
    const site = await findOwnSite(c, parts, c.req.valid('param').id)
    const input = c.req.valid('json')
    await requireSourceFolder(c, parts, input.source.location)
    const added = await addContextRepository(deps(), { site, organizationId: c.get('organizationId'), input }, limit(c))
    await recordAudit(c, parts, { action: 'context-repository-added', target: targetOf(added.context) })
    return reply(c, contextRepositoryCheckedSchema, toChecked(added), 201)
  })

  app.openapi(changeRoute, async (c) => {
    const before = await findOwnContext(c, parts, c.req.valid('param'))
    const update = c.req.valid('json')
    await requireSourceFolder(c, parts, update.source?.location)
    const change = { before, organizationId: c.get('organizationId'), update }
    const changed = await changeContextRepository(deps(), change, limit(c))
    await recordAudit(c, parts, { action: 'context-repository-changed', target: targetOf(before) })
    return reply(c, contextRepositoryCheckedSchema, toChecked(changed), 200)
  })

  app.openapi(removeRoute, async (c) => {
    const context = await findOwnContext(c, parts, c.req.valid('param'))
    await removeContextRepository(parts, context.id)
    await recordAudit(c, parts, { action: 'context-repository-removed', target: targetOf(context) })
    return c.body(null, 204)
  })
}

async function findOwnContext(
  c: AppContext,
  parts: ServerParts,
  { id, name }: { id: string; name: string },
): Promise<ContextRepository> {
  const site = await findOwnSite(c, parts, id)
  const contexts = await listContextRepositories(parts.store.durable, { siteId: site.id })
  const found = contexts.find((context) => context.name === name || context.id === name)
  if (found !== undefined) return found
  throw new AppError(
    'not_found',
    `The site ${site.slug} has no context repository ${name.slice(0, 100)}. List them to see their names.`,
  )
}

function toResource({ id, siteId, name, source, credentialSealed, createdAt }: ContextRepository) {
  return { id, siteId, name, source, hasCredential: credentialSealed !== null, createdAt: toIsoTime(createdAt) }
}

function toChecked({ context, commit }: CheckedContext) {
  return { ...toResource(context), commit }
}

function targetOf({ id, name }: ContextRepository) {
  return { kind: 'context-repository', id, name }
}
