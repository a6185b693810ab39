import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import {
  findingSchema,
  identitySecretSchema,
  listQuerySchema,
  siteCreateSchema,
  siteListSchema,
  type SiteResource,
  siteSchema,
  siteUpdateSchema,
  type SyncRunResource,
  syncRunSchema,
} from '../../contract/admin.ts'
import { AppError } from '../../contract/app-error.ts'
import { readSiteSettings } from '../../contract/site-settings.ts'
import { changeSite } from '../../sites/change-site.ts'
import { createSite, requestSync } from '../../sites/create-site.ts'
import { rotateIdentitySecret } from '../../sites/rotate-identity-secret.ts'
import { siteUrl } from '../../sites/site-url.ts'
import { getCurrentIndexGeneration } from '../../store/index-generations.ts'
import { getIndexRun, type IndexRun, listIndexRuns } from '../../store/index-runs.ts'
import { listSites, type Site } from '../../store/sites.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { findOwnSite } from '../own-site.ts'
import { recordAudit } from '../record-audit.ts'
import { reply } from '../reply.ts'
import { requireRole } from '../require-role.ts'
import { requireSourceFolder } from '../require-source-folder.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const tags = ['Sites']
const security = [{ adminKey: [] }]
const params = z.object({ id: z.string().meta({ description: 'Id or slug.' }) })
const siteContent = { 'application/json': { schema: siteSchema } }
const runContent = { 'application/json': { schema: syncRunSchema } }
const findingListSchema = z
  .object({ items: z.array(findingSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'FindingList' })

const listRoute = createRoute({
  method: 'get',
  path: '/admin/v1/sites',
  tags,
  security,
  summary: 'List sites',
  request: { query: listQuerySchema.extend({ projectId: z.string().optional() }) },
  responses: {
    200: { description: 'Sites by id.', content: { 'application/json': { schema: siteListSchema } } },
    ...errorResponses(400, 401, 403, 503),
  },
})

const createSiteRoute = createRoute({
  method: 'post',
  path: '/admin/v1/sites',
  tags,
  security,
  summary: 'Create a site',
  description: 'Its first sync is queued at once; until it ends, the site answers 503.',
  request: { body: { required: true, content: { 'application/json': { schema: siteCreateSchema } } } },
  responses: {
    201: { description: 'The site.', content: siteContent },
    ...errorResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
})

const getRoute = createRoute({
  method: 'get',
  path: '/admin/v1/sites/{id}',
  tags,
  security,
  summary: 'Get a site',
  request: { params },
  responses: { 200: { description: 'The site.', content: siteContent }, ...errorResponses(401, 403, 404, 503) },
})

const updateRoute = createRoute({
  method: 'patch',
  path: '/admin/v1/sites/{id}',
  tags,
  security,
  summary: 'Change a site',
  description: 'Changes the fields that are given. Another source or credential queues a sync.',
  request: { params, body: { required: true, content: { 'application/json': { schema: siteUpdateSchema } } } },
  responses: {
    200: { description: 'The site.', content: siteContent },
    ...errorResponses(400, 401, 403, 404, 409, 413, 415, 503),
  },
})

const deleteRoute = createRoute({
  method: 'delete',
  path: '/admin/v1/sites/{id}',
  tags,
  security,
  summary: 'Delete a site',
  description: 'Deletes everything of it: keys, index, conversations.',
  request: { params },
  responses: { 204: { description: 'It is gone.' }, ...errorResponses(401, 403, 404, 503) },
})

const syncRoute = createRoute({
  method: 'post',
  path: '/admin/v1/sites/{id}/sync',
  tags,
  security,
  summary: 'Sync a site with its source',
  description: 'Queues a run and answers at once. Poll the run until its state is `succeeded` or `failed`.',
  request: { params },
  responses: { 200: { description: 'The run.', content: runContent }, ...errorResponses(401, 403, 404, 503) },
})

const runRoute = createRoute({
  method: 'get',
  path: '/admin/v1/sites/{id}/runs/{runId}',
  tags,
  security,
  summary: 'Get a sync run',
  request: { params: params.extend({ runId: z.string() }) },
  responses: { 200: { description: 'The run.', content: runContent }, ...errorResponses(401, 403, 404, 503) },
})

const identitySecretRoute = createRoute({
  method: 'post',
  path: '/admin/v1/sites/{id}/identity-secret',
  tags,
  security,
  summary: 'Make a new identity secret',
  description: 'For signing `X-Docent-Identity`. The secret before stops to count at once.',
  request: { params },
  responses: {
    201: { description: 'The secret.', content: { 'application/json': { schema: identitySecretSchema } } },
    ...errorResponses(401, 403, 404, 503),
  },
})

const findingsRoute = createRoute({
  method: 'get',
  path: '/admin/v1/sites/{id}/findings',
  tags,
  security,
  summary: 'List what is wrong with the source of a site',
  request: { params },
  responses: {
    200: {
      description: 'Findings of the generation that is served.',
      content: { 'application/json': { schema: findingListSchema } },
    },
    ...errorResponses(401, 403, 404, 503),
  },
})

export function addAdminSites(app: DocentServer, parts: ServerParts): void {
  const { store } = parts
  const db = store.durable

  app.openapi(listRoute, async (c) => {
    const { items, nextCursor } = await listSites(db, {
      ...c.req.valid('query'),
      organizationId: c.get('organizationId'),
    })
    const resources = await Promise.all(items.map((site) => toResource(parts, site)))
    return reply(c, siteListSchema, { items: resources, nextCursor }, 200)
  })

  app.openapi(createSiteRoute, async (c) => {
    const request = c.req.valid('json')
    await requireSourceFolder(c, parts, request.source.location)
    const site = await createSite({ ...parts, organizationId: c.get('organizationId') }, request)
    parts.wakeWorker(site.id)
    parts.sites.forget()
    await recordAudit(c, parts, { action: 'site-created', target: targetOf(site) })
    return reply(c, siteSchema, await toResource(parts, site), 201)
  })

  app.openapi(getRoute, async (c) => {
    const site = await findOwnSite(c, parts, c.req.valid('param').id)
    return reply(c, siteSchema, await toResource(parts, site), 200)
  })

  app.openapi(updateRoute, async (c) => {
    const site = await findOwnSite(c, parts, c.req.valid('param').id)
    const update = c.req.valid('json')
    if (!isOfInstructions(update)) requireRole(c, 'owner')
    await requireSourceFolder(c, parts, update.source?.location)
    const changed = await changeSite(parts, site, update)
    parts.wakeWorker(changed.id)
    parts.sites.forget()
    await recordAudit(c, parts, { action: 'site-changed', target: targetOf(changed) })
    return reply(c, siteSchema, await toResource(parts, changed), 200)
  })

  app.openapi(deleteRoute, async (c) => {
    const site = await findOwnSite(c, parts, c.req.valid('param').id)
    await parts.removeSite(site)
    parts.keys.forget()
    await recordAudit(c, parts, { action: 'site-deleted', target: targetOf(site) })
    return c.body(null, 204)
  })

  app.openapi(syncRoute, async (c) => {
    const site = await findOwnSite(c, parts, c.req.valid('param').id)
    const run = await requestSync(parts, site.id, 'sync-requested')
    parts.wakeWorker(site.id)
    await recordAudit(c, parts, { action: 'sync-requested', target: targetOf(site) })
    return reply(c, syncRunSchema, toRunResource(run), 200)
  })

  app.openapi(runRoute, async (c) => {
    const { id, runId } = c.req.valid('param')
    const site = await findOwnSite(c, parts, id)
    const run = await getIndexRun(db, runId)
    if (run === null || run.siteId !== site.id)
      throw new AppError('not_found', `The site ${site.slug} has no run ${runId.slice(0, 100)}.`)
    return reply(c, syncRunSchema, toRunResource(run), 200)
  })

  app.openapi(identitySecretRoute, async (c) => {
    const site = await findOwnSite(c, parts, c.req.valid('param').id)
    const secret = await rotateIdentitySecret(parts, site.id)
    await recordAudit(c, parts, { action: 'identity-secret-made', target: targetOf(site) })
    return reply(c, identitySecretSchema, { secret }, 201)
  })

  app.openapi(findingsRoute, async (c) => {
    const site = await findOwnSite(c, parts, c.req.valid('param').id)
    const generation = await getCurrentIndexGeneration(db, site.id)
    return reply(c, findingListSchema, { items: generation?.findings ?? [], nextCursor: null }, 200)
  })
}

/** All that editors may change of a site: what its assistant is told. */
function isOfInstructions({ settings, ...others }: z.output<typeof siteUpdateSchema>): boolean {
  const isOnlySettings = Object.values(others).every((value) => value === undefined)
  return isOnlySettings && Object.keys(settings ?? {}).every((name) => name === 'instructions')
}

function targetOf({ id, slug }: Site) {
  return { kind: 'site', id, name: slug }
}

async function toResource({ store, baseUrl }: ServerParts, site: Site): Promise<SiteResource> {
  const [generation, runs] = await Promise.all([
    getCurrentIndexGeneration(store.durable, site.id),
    listIndexRuns(store.durable, site.id, { limit: 1 }),
  ])
  const run = runs.items[0]
  return {
    id: site.id,
    slug: site.slug,
    name: site.name,
    projectId: site.projectId,
    source: site.source,
    hasCredential: site.sourceCredentialSealed !== null,
    hostnames: site.hostnames,
    url: siteUrl(site, baseUrl),
    settings: readSiteSettings(site.settings),
    generation: generation && {
      number: generation.number,
      revision: generation.revision,
      pages: generation.pageCount,
      chunks: generation.chunkCount,
      findings: generation.findings.length,
      createdAt: toIsoTime(generation.createdAt),
    },
    run: run === undefined ? null : toRunResource(run),
    createdAt: toIsoTime(site.createdAt),
  }
}

function toRunResource(run: IndexRun): SyncRunResource {
  const { id, siteId, state, cause, failure, progress } = run
  const [createdAt, finishedAt] = [toIsoTime(run.createdAt), toIsoTime(run.finishedAt)]
  return { id, siteId, state, cause, failure, progress, createdAt, finishedAt }
}
