import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { countJobs } from '../../access/count-jobs.ts'
import { askAgain } from '../../assistant/ask-again.ts'
import { createJob } from '../../agent/jobs/create-job.ts'
import { agentJobCreateSchema } from '../../contract/agent-job.ts'
import { AppError } from '../../contract/app-error.ts'
import {
  gapListSchema,
  gapQuerySchema,
  type GapResource,
  gapSchema,
  gapUpdateSchema,
  jobDraftSchema,
} from '../../contract/insights.ts'
import { countTriedPages, draftGapJob } from '../../insights/draft-gap-job.ts'
import { findGap, findGaps, type FoundGap } from '../../insights/find-gaps.ts'
import { chooseRetries, storeRetries } from '../../insights/retry-gap.ts'
import { getAgentJob } from '../../store/agent-jobs.ts'
import { getGap, updateGap } from '../../store/gaps.ts'
import { getProject } from '../../store/projects.ts'
import { getSite, type Site } from '../../store/sites.ts'
import type { AppContext } from '../app-env.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { findOwnSite } from '../own-site.ts'
import { invalidRequest } from '../read-json.ts'
import { recordAudit } from '../record-audit.ts'
import { reply } from '../reply.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const tags = ['Insights']
const security = [{ adminKey: [] }]
const params = z.object({ id: z.string().meta({ description: 'Id of the gap.' }) })
const gapContent = { 'application/json': { schema: gapSchema } }

const listRoute = createRoute({
  method: 'get',
  path: '/admin/v1/insights/gaps',
  tags,
  security,
  summary: 'List gaps of the documentation',
  description:
    'Groups the questions of a site, of 90 days, that stayed unanswered or whose answers did not help. A gap keeps its id and its state for as long as the question is stored that showed it first.',
  request: { query: gapQuerySchema },
  responses: {
    200: { description: 'The most asked first.', content: { 'application/json': { schema: gapListSchema } } },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

const getRoute = createRoute({
  method: 'get',
  path: '/admin/v1/insights/gaps/{id}',
  tags,
  security,
  summary: 'Get a gap',
  request: { params },
  responses: { 200: { description: 'The gap.', content: gapContent }, ...errorResponses(401, 403, 404, 503) },
})

const updateRoute = createRoute({
  method: 'patch',
  path: '/admin/v1/insights/gaps/{id}',
  tags,
  security,
  summary: 'Change a gap',
  request: { params, body: { required: true, content: { 'application/json': { schema: gapUpdateSchema } } } },
  responses: {
    200: { description: 'The gap.', content: gapContent },
    ...errorResponses(400, 401, 403, 404, 413, 415, 503),
  },
})

const draftRoute = createRoute({
  method: 'get',
  path: '/admin/v1/insights/gaps/{id}/job-draft',
  tags,
  security,
  summary: 'Draft a job that mends a gap',
  description: 'Words for the prompt of an agent job. Makes nothing.',
  request: { params },
  responses: {
    200: { description: 'The draft.', content: { 'application/json': { schema: jobDraftSchema } } },
    ...errorResponses(401, 403, 404, 503),
  },
})

const jobRoute = createRoute({
  method: 'post',
  path: '/admin/v1/insights/gaps/{id}/job',
  tags,
  security,
  summary: 'Have a gap mended',
  description: 'Makes an agent job, with the draft where the body names no prompt, and links it to the gap.',
  request: {
    params,
    body: { content: { 'application/json': { schema: agentJobCreateSchema.omit({ site: true }).partial() } } },
  },
  responses: {
    201: { description: 'The gap, with `jobId`.', content: gapContent },
    ...errorResponses(400, 401, 403, 404, 413, 415, 422, 429, 503),
  },
})

const reaskRoute = createRoute({
  method: 'post',
  path: '/admin/v1/insights/gaps/{id}/reask',
  tags,
  security,
  summary: 'Ask the questions of a gap again',
  description:
    'Asks its newest questions, five at most, as the playground does, and stores what came of it beside what was answered before. The gap is `mended` when all of them are answered. Takes no body.',
  request: { params },
  responses: {
    200: { description: 'The gap, with `reasked`.', content: gapContent },
    ...errorResponses(401, 403, 404, 503),
  },
})

const questionsShown = 20
const reaskMsMax = 180_000

export function addAdminGaps(app: DocentServer, parts: ServerParts): void {
  const { store, clock } = parts

  app.openapi(listRoute, async (c) => {
    const { siteId, state, limit } = c.req.valid('query')
    const site = await findOwnSite(c, parts, siteId)
    const gaps = await findGaps(parts, toGapSite(c, site))
    const items = gaps.filter((gap) => state === undefined || gap.state === state).slice(0, limit)
    return reply(c, gapListSchema, { items: items.map(toResource), nextCursor: null }, 200)
  })

  app.openapi(getRoute, async (c) => {
    const { gap } = await requireGap(c, parts, c.req.valid('param').id)
    return reply(c, gapSchema, toResource(gap), 200)
  })

  app.openapi(updateRoute, async (c) => {
    const { gap } = await requireGap(c, parts, c.req.valid('param').id)
    const { state, jobId } = c.req.valid('json')
    if (jobId != null) await requireOwnJob(c, parts, jobId)
    await updateGap(store.durable, gap.id, {
      updatedAt: clock.now(),
      ...(jobId !== undefined && { jobId }),
      ...(jobId != null && { state: 'drafted' as const }),
      ...(state !== undefined && { state }),
    })
    await recordAudit(c, parts, { action: 'gap-changed', target: targetOf(gap) })
    return reply(c, gapSchema, toResource((await requireGap(c, parts, gap.id)).gap), 200)
  })

  app.openapi(draftRoute, async (c) => {
    const { gap, site } = await requireGap(c, parts, c.req.valid('param').id)
    return reply(c, jobDraftSchema, { site: site.slug, projectId: site.projectId, prompt: draftGapJob(gap) }, 200)
  })

  app.openapi(jobRoute, async (c) => {
    const { gap, site } = await requireGap(c, parts, c.req.valid('param').id)
    const request = agentJobCreateSchema.parse({ prompt: draftGapJob(gap), ...c.req.valid('json'), site: site.id })
    const count = countJobs(parts, parts.limits.jobsPerHour)(site.projectId)
    const input = { projectId: site.projectId, request, idempotencyKey: null, count }
    const { job } = await createJob(parts.agent, input, c.req.raw.signal)
    await updateGap(store.durable, gap.id, { jobId: job.id, state: 'drafted', updatedAt: clock.now() })
    await recordAudit(c, parts, { action: 'job-created', target: { kind: 'job', id: job.id, name: job.title } })
    return reply(c, gapSchema, toResource((await requireGap(c, parts, gap.id)).gap), 201)
  })

  app.openapi(reaskRoute, async (c) => {
    const { gap, site } = await requireGap(c, parts, c.req.valid('param').id)
    const live = await parts.sites.find(site.slug)
    if (live === null) throw missingGap(gap.id)
    const signal = AbortSignal.any([c.req.raw.signal, parts.lifecycle.streamsEnd, AbortSignal.timeout(reaskMsMax)])
    const input = { questions: chooseRetries(gap), site: live, masksStored: parts.masksStored, log: c.get('log') }
    await storeRetries(store, gap, await askAgain(parts.answers, input, signal), clock.now())
    await recordAudit(c, parts, { action: 'gap-reasked', target: targetOf(gap) })
    return reply(c, gapSchema, toResource((await requireGap(c, parts, gap.id)).gap), 200)
  })
}

/** A gap of a site of the organization. @throws {AppError} `not_found`, also for a gap of another organization. */
async function requireGap(c: AppContext, parts: ServerParts, id: string): Promise<{ gap: FoundGap; site: Site }> {
  const stored = await getGap(parts.store.durable, id)
  const site = stored === null ? null : await getSite(parts.store.durable, stored.siteId)
  const project = site === null ? null : await getProject(parts.store.durable, site.projectId)
  if (site === null || project?.organizationId !== c.get('organizationId')) throw missingGap(id)
  const gap = await findGap(parts, toGapSite(c, site), id)
  if (gap === null) throw missingGap(id)
  return { gap, site }
}

async function requireOwnJob(c: AppContext, { store }: ServerParts, id: string): Promise<void> {
  const job = await getAgentJob(store.durable, id)
  const project = job === null ? null : await getProject(store.durable, job.projectId)
  if (project?.organizationId === c.get('organizationId')) return
  throw invalidRequest([{ path: 'jobId', message: 'is no job of this organization' }])
}

function toGapSite(c: AppContext, { id }: Site) {
  return { id, organizationId: c.get('organizationId') }
}

/** Without its question, which goes with its conversation. */
function targetOf({ id }: FoundGap) {
  return { kind: 'gap', id, name: null }
}

function missingGap(id: string): AppError {
  return new AppError('not_found', `There is no gap ${id.slice(0, 200)}. List them with GET /admin/v1/insights/gaps.`)
}

function toResource(gap: FoundGap): GapResource {
  const { id, siteId, state, jobId, terms, asked, reasked } = gap
  const times = asked.map(({ answer }) => answer.createdAt)
  return {
    id,
    siteId,
    state,
    jobId,
    terms,
    reasked,
    questions: asked
      .slice(0, questionsShown)
      .map(({ answer, question }) => ({ id: answer.id, question, verdict: answer.verdict })),
    count: asked.length,
    unanswered: asked.filter(({ answer }) => answer.verdict === 'unanswered').length,
    unhelpful: asked.filter(({ feedback }) => feedback === 'unhelpful').length,
    pagesTried: countTriedPages(gap).slice(0, questionsShown),
    firstAskedAt: toIsoTime(Math.min(gap.askedAt, ...times)),
    lastAskedAt: toIsoTime(Math.max(gap.askedAt, ...times)),
    createdAt: toIsoTime(gap.createdAt),
    updatedAt: toIsoTime(gap.updatedAt),
  }
}
