import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { countJobs } from '../../access/count-jobs.ts'
import type { RateLimitHeaders } from '../../access/take-limits.ts'
import { createJob } from '../../agent/jobs/create-job.ts'
import { followUpJob } from '../../agent/jobs/follow-up-job.ts'
import {
  agentJobCreateSchema,
  agentJobListQuerySchema,
  agentJobListSchema,
  agentJobMessageSchema,
  agentJobSchema,
} from '../../contract/agent-job.ts'
import { AppError } from '../../contract/app-error.ts'
import { readErrorDetails } from '../../contract/error-details.ts'
import { type AgentJob, archiveAgentJob, type CountJob, cancelAgentJob, listAgentJobs } from '../../store/agent-jobs.ts'
import { getSite, getSiteByDomain } from '../../store/sites.ts'
import { findOwnJob, findOwnProject, toJobResource } from '../agent-job-resource.ts'
import type { AppContext } from '../app-env.ts'
import { countStream } from '../count-stream.ts'
import type { DocentServer } from '../create-server.ts'
import { invalidRequest, readJson } from '../read-json.ts'
import { recordAudit } from '../record-audit.ts'
import { reply } from '../reply.ts'
import type { ServerParts } from '../server-parts.ts'
import { startCountdown } from '../streams/countdown.ts'
import { jobEventHeaders, streamJobEvents, writeJobEvents } from '../streams/write-job-events.ts'
import { agentJobRoutes } from './agent-job-routes.ts'

/** Printable, so that it can be kept and shown. */
const idempotencyKey = /^[\x21-\x7e]{1,255}$/

/** Mounts the jobs of the agent. */
export function addAgentJobs(app: DocentServer, parts: ServerParts): void {
  const { store, clock } = parts
  for (const route of agentJobRoutes) app.openAPIRegistry.registerPath(route)
  const base = '/v2/agent/:projectId'

  app.post(`${base}/job`, (c) => postJob(c, parts, c.req.param('projectId')))

  app.get(`${base}/jobs`, async (c) => {
    const project = await findOwnProject(c, parts, c.req.param('projectId'))
    const query = agentJobListQuerySchema.safeParse(c.req.query())
    if (!query.success) throw invalidRequest(readErrorDetails(query.error))
    const { site, from, to, ...page } = query.data
    const siteId = site === undefined ? undefined : await findSiteId(parts, project.id, site)
    const { items, nextCursor } = await listAgentJobs(store.durable, {
      ...page,
      projectId: project.id,
      siteId,
      from: from === undefined ? undefined : Date.parse(from),
      to: to === undefined ? undefined : Date.parse(to),
    })
    return reply(c, agentJobListSchema, { jobs: items.map(toJobResource), nextCursor }, 200)
  })

  app.get(`${base}/job/:id`, async (c) => {
    const job = await findOwnJob(c, parts, c.req.param())
    return reply(c, agentJobSchema, toJobResource(await parts.pullRequests.read(job, c.req.raw.signal)), 200)
  })

  app.post(`${base}/job/:id/message`, (c) => postMessage(c, parts, c.req.param()))

  app.post(`${base}/job/:id/cancel`, async (c) => {
    const { id } = await findOwnJob(c, parts, c.req.param())
    const job = await cancelAgentJob(store.durable, id, clock.now())
    parts.agent.wakeWorker()
    if (job === null) throw new AppError('job_not_found', `There is no job ${id} any more.`)
    await recordAudit(c, parts, { action: 'job-cancelled', target: targetOf(job) })
    return reply(c, agentJobSchema, toJobResource(job), 200)
  })

  app.post(`${base}/job/:id/archive`, async (c) => {
    const { id } = await findOwnJob(c, parts, c.req.param())
    const job = await archiveAgentJob(store.durable, id, clock.now())
    if (job === null) {
      throw new AppError('job_active', `The job ${id} is still active. Wait for its end, or cancel it first.`)
    }
    await recordAudit(c, parts, { action: 'job-archived', target: targetOf(job) })
    return reply(c, agentJobSchema, toJobResource(job), 200)
  })

  app.get(`${base}/job/:id/events`, (c) => getEvents(c, parts, c.req.param()))
}

/** @throws {AppError} `invalid_request` for a site that the project does not have. */
async function findSiteId({ store }: ServerParts, projectId: string, word: string): Promise<string> {
  const site = (await getSite(store.durable, word)) ?? (await getSiteByDomain(store.durable, word))
  if (site?.projectId === projectId) return site.id
  throw invalidRequest([
    { path: 'site', message: `is no site of the project ${projectId}: list them to see their slugs` },
  ])
}

async function postJob(c: AppContext, parts: ServerParts, projectId: string): Promise<Response> {
  const request = agentJobCreateSchema.safeParse(await readJson(c))
  if (!request.success) throw invalidRequest(readErrorDetails(request.error))
  const key = c.req.header('idempotency-key') ?? null
  if (key !== null && !idempotencyKey.test(key)) {
    const message = 'is not 1 to 255 printable characters without a space'
    throw invalidRequest([{ path: 'Idempotency-Key', message }])
  }
  const project = await findOwnProject(c, parts, projectId)
  const counting = countFor(c, parts, 'job-created')
  const input = { projectId: project.id, request: request.data, idempotencyKey: key, count: counting.count }
  const { job } = await createJob(parts.agent, input, c.req.raw.signal)
  counting.tell()
  return reply(c, agentJobSchema, toJobResource(job), 201)
}

async function postMessage(c: AppContext, parts: ServerParts, path: { projectId: string; id: string }) {
  const request = agentJobMessageSchema.safeParse(await readJson(c))
  if (!request.success) throw invalidRequest(readErrorDetails(request.error))
  const job = await findOwnJob(c, parts, path)
  const counting = countFor(c, parts, 'job-continued')
  const input = { job, prompt: request.data.prompt, count: counting.count }
  const followed = await followUpJob(parts.agent, input, c.req.raw.signal)
  counting.tell()
  return reply(c, agentJobSchema, toJobResource(followed), 200)
}

function targetOf({ id, title }: AgentJob) {
  return { kind: 'job', id, name: title }
}

/** What belongs to the writing of a job: its use of the limit, and who has asked for it. What is refused leaves neither. */
function countFor(c: AppContext, parts: ServerParts, action: 'job-created' | 'job-continued') {
  let headers: Partial<RateLimitHeaders> = {}
  const count: CountJob = async (transaction, job) => {
    await countJobs(parts, parts.limits.jobsPerHour, (counted) => (headers = counted))(job.projectId)(transaction, job)
    await recordAudit(c, { ...parts, store: { durable: transaction } }, { action, target: targetOf(job) })
  }
  const tell = () => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
  }
  return { count, tell }
}

async function getEvents(c: AppContext, parts: ServerParts, path: { projectId: string; id: string }) {
  const job = await findOwnJob(c, parts, path)
  const last = c.req.header('last-event-id')
  if (last !== undefined && !/^\d{1,9}$/.test(last)) {
    throw invalidRequest([{ path: 'Last-Event-ID', message: 'is not the number of an event' }])
  }
  const followed = { store: parts.store, jobId: job.id, after: Number(last ?? 0) }
  const signal = parts.lifecycle.streamsEnd
  if (c.env?.outgoing === undefined) return c.body(streamJobEvents(followed, signal), 200, jobEventHeaders)
  const headers = { 'X-Request-Id': c.get('requestId') }
  const { outgoing } = c.env
  await countStream(parts, 'job', () => writeJobEvents(outgoing, { ...followed, headers, startCountdown, signal }))
  return RESPONSE_ALREADY_SENT
}
