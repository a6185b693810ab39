import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { countJobs } from '../../access/limits/count-jobs.ts'
import type { RateLimitHeaders } from '../../access/limits/consume-limits.ts'
import { createJob, requireReadable } from '../../agent/jobs/create-job.ts'
import { followUpJob } from '../../agent/jobs/follow-up-job.ts'
import { AppError } from '../../contract/app-error.ts'
import { jobOperations } from '../../contract/operations/agent-jobs.ts'
import {
  type AgentJob,
  archiveAgentJob,
  unarchiveAgentJob,
  type CountJob,
  cancelAgentJob,
  listAgentJobs,
} from '../../store/agent/agent-jobs.ts'
import { getSite, getSiteByDomain } from '../../store/sites/sites.ts'
import { findOwnJob, findOwnProject, toJobResource } from '../resources/agent-job-resource.ts'
import type { AppContext } from '../app-env.ts'
import { countStream } from '../replies/count-stream.ts'
import { invalidRequest } from '../bodies/read-json.ts'
import { listAgentJobMessages } from '../../store/agent/agent-job-messages.ts'
import { requireRole } from '../requests/require-role.ts'
import { recordAudit } from '../requests/record-audit.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'
import { startCountdown } from '../streams/countdown.ts'
import { jobEventHeaders, streamJobEvents, writeJobEvents } from '../streams/write-job-events.ts'

export function createAgentJobHandlers(deps: ServerDeps): Handlers<typeof jobOperations> {
  const { store, clock } = deps

  return {
    createJob: async ({ c, params, headers, body }) => {
      const project = await findOwnProject(c, deps, params.projectId)
      if (body.allowDeletions === true) requireRole(c, 'owner')
      const deletionsAllowedBy = body.allowDeletions === true ? c.get('actorName') : null
      const counting = countFor(c, deps, jobOperations.createJob.audit, deletionsAllowedBy)
      const idempotencyKey = headers['Idempotency-Key'] ?? null
      const input = { projectId: project.id, request: body, deletionsAllowedBy, idempotencyKey, count: counting.count }
      if (c.get('actor').kind === 'user') await requireReadable(deps.agent, body)
      const { job } = await createJob(deps.agent, input, c.req.raw.signal)
      counting.tell()
      return { reply: toJobResource(job), audit: 'recorded' }
    },

    listJobs: async ({ c, params, query: { site, from, to, ...page } }) => {
      const project = await findOwnProject(c, deps, params.projectId)
      const siteId = site === undefined ? undefined : await findSiteId(deps, project.id, site)
      const { items, nextCursor } = await listAgentJobs(store.durable, {
        ...page,
        projectId: project.id,
        siteId,
        from: from === undefined ? undefined : Date.parse(from),
        to: to === undefined ? undefined : Date.parse(to),
      })
      return { jobs: items.map(toJobResource), nextCursor }
    },

    getJob: async ({ c, params }) => {
      const job = await findOwnJob(c, deps, params)
      return toJobResource(await deps.pullRequests.read(job, c.req.raw.signal))
    },

    sendJobMessage: async ({ c, params, body: { prompt } }) => {
      const job = await findOwnJob(c, deps, params)
      const counting = countFor(c, deps, jobOperations.sendJobMessage.audit)
      const followed = await followUpJob(deps.agent, { job, prompt, count: counting.count }, c.req.raw.signal)
      counting.tell()
      return { reply: toJobResource(followed), audit: 'recorded' }
    },

    allowJobDeletions: async ({ c, params }) => {
      const job = await findOwnJob(c, deps, params)
      const deletionsAllowedBy = c.get('actorName')
      const counting = countFor(c, deps, jobOperations.allowJobDeletions.audit, deletionsAllowedBy)
      const prompt = await chooseConsentMessage(deps, job)
      const input = { job, prompt, deletionsAllowedBy, count: counting.count }
      const followed = await followUpJob(deps.agent, input, c.req.raw.signal)
      counting.tell()
      return { reply: toJobResource(followed), audit: 'recorded' }
    },

    cancelJob: async ({ c, params }) => {
      const { id } = await findOwnJob(c, deps, params)
      const job = await cancelAgentJob(store.durable, id, clock.now())
      deps.agent.wakeWorker()
      if (job === null) throw new AppError('job_not_found', `The job ${id} no longer exists.`)
      return { reply: toJobResource(job), audit: { target: targetOf(job) } }
    },

    archiveJob: async ({ c, params }) => {
      const { id } = await findOwnJob(c, deps, params)
      const job = await archiveAgentJob(store.durable, id, clock.now())
      if (job === null) {
        throw new AppError('job_active', `The job ${id} is still active. Wait for its end, or cancel it first.`)
      }
      return { reply: toJobResource(job), audit: { target: targetOf(job) } }
    },

    unarchiveJob: async ({ c, params }) => {
      const { id } = await findOwnJob(c, deps, params)
      const job = await unarchiveAgentJob(store.durable, id, clock.now())
      if (job === null) throw new AppError('job_not_found', `The job ${id} no longer exists.`)
      return { reply: toJobResource(job), audit: { target: targetOf(job) } }
    },

    followJob: async ({ c, params, headers }) =>
      streamEvents(c, deps, { job: await findOwnJob(c, deps, params), after: Number(headers['Last-Event-ID'] ?? 0) }),
  }
}

/** @throws {AppError} `invalid_request` if the project has no such site. */
async function findSiteId({ store }: ServerDeps, projectId: string, word: string): Promise<string> {
  const site = (await getSite(store.durable, word)) ?? (await getSiteByDomain(store.durable, word))
  if (site?.projectId === projectId) return site.id
  throw invalidRequest([
    { path: 'site', message: `is not a site of the project ${projectId}: list its sites to see their slugs` },
  ])
}

function targetOf({ id, title }: AgentJob) {
  return { kind: 'job', id, name: title }
}

/** Tells a running job of the consent; a job that has ended is given its last request again. */
async function chooseConsentMessage({ store }: ServerDeps, { id, status, prompt }: AgentJob): Promise<string> {
  if (status === 'active') return 'An owner lets this job delete what it was asked to delete.'
  return (await listAgentJobMessages(store.durable, id, 0)).at(-1)?.text ?? prompt
}

/**
 * What is stored along with a job: its use of the limit, who requested it, and who let it delete. A refused job leaves
 * none of it.
 */
export function countFor(
  c: AppContext,
  deps: ServerDeps,
  action: 'job-created' | 'job-continued' | 'job-deletions_allowed',
  deletionsAllowedBy: string | null = null,
) {
  let headers: Partial<RateLimitHeaders> = {}
  const changes = deletionsAllowedBy === null ? [] : [{ field: 'deletions', from: 'refused', to: 'allowed' }]
  const count: CountJob = async (transaction, job) => {
    await countJobs(deps, deps.limits.jobsPerHour, (counted) => (headers = counted))(job.projectId)(transaction, job)
    await recordAudit(c, { ...deps, store: { durable: transaction } }, { action, target: targetOf(job), changes })
  }
  const tell = () => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
  }
  return { count, tell }
}

async function streamEvents(c: AppContext, deps: ServerDeps, { job, after }: { job: AgentJob; after: number }) {
  const followed = { store: deps.store, jobId: job.id, after }
  const signal = deps.lifecycle.streamsEnd
  if (c.env?.outgoing === undefined) return c.body(streamJobEvents(followed, signal), 200, jobEventHeaders)
  const headers = { 'X-Request-Id': c.get('requestId') }
  const { outgoing } = c.env
  await countStream(deps, 'job', () => writeJobEvents(outgoing, { ...followed, headers, startCountdown, signal }))
  return RESPONSE_ALREADY_SENT
}
