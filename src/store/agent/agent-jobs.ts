import { dayMs } from '../../base/durations.ts'
import { sql, type SqlBool } from 'kysely'
import type { AgentJobStatus } from '../../contract/agent-job.ts'
import { startAutomationRun } from './automation-runs.ts'
import { appendAgentJobEvents } from './agent-job-events.ts'
import { announceJobEnd, announceMerge } from '../announce-changes.ts'
import { insertAgentJobMessage } from './agent-job-messages.ts'
import { type AgentJob, type CountJob, type NewAgentJob, toAgentJob, toNewAgentJobRow } from './agent-job-row.ts'
import { jobContains } from '../like-pattern.ts'
import { inTransaction } from '../in-transaction.ts'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import { claimNext, type ClaimTimes, workDone } from '../queue.ts'
import type { Db } from '../schema.ts'
import type { AgentJobPullRequest } from '../tables/agent.ts'

export type { AgentJobPullRequest } from '../tables/agent.ts'

export type { AgentJob, CountJob, NewAgentJob } from './agent-job-row.ts'

/** How long a client's idempotency key is remembered. */
export const idempotencyMs = dayMs

export type CreateAgentJobResult = { created: boolean; job: AgentJob; isSameRequest: boolean }

/**
 * Creates a job with its first message, unless the same key created one within 24 hours, which is then returned. Of
 * several concurrent calls with one key, one creates the job and the others get it.
 *
 * @throws {AutomationMovedError} when the automation's run is no longer pending; nothing was written then.
 * @throws Whatever `count` throws; nothing was written or counted then.
 */
export function insertAgentJob(db: Db, job: NewAgentJob, count?: CountJob): Promise<CreateAgentJobResult> {
  return inTransaction(db, async (transaction) => {
    await forgetOldKey(transaction, job)
    const row = await transaction
      .insertInto('agentJobs')
      .values(toNewAgentJobRow(job))
      .onConflict((conflict) => conflict.columns(['projectId', 'idempotencyKey']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) return readRepeated(transaction, job)
    if (job.automation !== undefined) {
      await startAutomationRun(transaction, job.automation, { jobId: job.id, now: job.createdAt })
    }
    await insertAgentJobMessage(transaction, { jobId: job.id, number: 1, round: 1, ...job, text: job.prompt })
    const event = { type: 'message-received', prompt: job.prompt, round: 1 } as const
    await appendAgentJobEvents(transaction, job.id, [event], job.createdAt)
    const made = toAgentJob(row)
    await count?.(transaction, made)
    return { created: true, job: made, isSameRequest: true }
  })
}

/** The job that a key created within the last 24 hours; null if there is none. */
export async function findRepeatedAgentJob(
  db: Db,
  request: Pick<NewAgentJob, 'projectId' | 'requestHash'> & { idempotencyKey: string; now: number },
): Promise<CreateAgentJobResult | null> {
  const row = await db
    .selectFrom('agentJobs')
    .selectAll()
    .where('projectId', '=', request.projectId)
    .where('idempotencyKey', '=', request.idempotencyKey)
    .where('createdAt', '>', request.now - idempotencyMs)
    .executeTakeFirst()
  if (row === undefined) return null
  return { created: false, job: toAgentJob(row), isSameRequest: row.requestHash === request.requestHash }
}

async function forgetOldKey(db: Db, { projectId, idempotencyKey, createdAt }: NewAgentJob) {
  if (idempotencyKey === null) return
  await db
    .updateTable('agentJobs')
    .set({ idempotencyKey: null })
    .where('projectId', '=', projectId)
    .where('idempotencyKey', '=', idempotencyKey)
    .where('createdAt', '<=', createdAt - idempotencyMs)
    .execute()
}

async function readRepeated(db: Db, job: NewAgentJob): Promise<CreateAgentJobResult> {
  const row = await db
    .selectFrom('agentJobs')
    .selectAll()
    .where('projectId', '=', job.projectId)
    .where('idempotencyKey', '=', job.idempotencyKey)
    .executeTakeFirstOrThrow()
  return { created: false, job: toAgentJob(row), isSameRequest: row.requestHash === job.requestHash }
}

export async function getAgentJob(db: Db, id: string): Promise<AgentJob | null> {
  const row = await db.selectFrom('agentJobs').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toAgentJob(row)
}

export interface AgentJobListRequest extends ListRequest {
  projectId: string
  siteId?: string | undefined
  status?: AgentJobStatus | undefined
  /** Text contained in the newest prompt, the title, the summary or the branch. */
  search?: string | undefined
  /** Creation time in UTC milliseconds, `from` inclusive, `to` exclusive. */
  from?: number | undefined
  to?: number | undefined
}

/** Newest first; the cursor is an id (ids sort by time). */
export async function listAgentJobs(db: Db, request: AgentJobListRequest): Promise<Listing<AgentJob>> {
  const { siteId, status, search, from, to } = request
  let query = db.selectFrom('agentJobs').selectAll().where('projectId', '=', request.projectId)
  if (siteId !== undefined) query = query.where('siteId', '=', siteId)
  if (status !== undefined) query = query.where('status', '=', status)
  if (search) query = query.where(jobContains(search))
  if (from !== undefined) query = query.where('createdAt', '>=', from)
  if (to !== undefined) query = query.where('createdAt', '<', to)
  const { items, nextCursor } = await listById(query, request, 'desc')
  return { items: items.map(toAgentJob), nextCursor }
}

/** Ends an active job; its worker loses the claim. Ended jobs are left unchanged. */
export function cancelAgentJob(db: Db, id: string, now: number): Promise<AgentJob | null> {
  const message = 'The job was cancelled.'
  return inTransaction(db, async (transaction) => {
    const row = await transaction
      .updateTable('agentJobs')
      .set((set) => ({
        status: 'failed',
        attempt: set('attempt', '+', 1),
        failureCode: 'cancelled',
        failureMessage: message,
        ...workDone,
        updatedAt: now,
      }))
      .where('id', '=', id)
      .where('status', '=', 'active')
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) return getAgentJob(transaction, id)
    const job = toAgentJob(row)
    const prLink = job.pullRequest?.url ?? null
    await appendAgentJobEvents(transaction, id, [{ type: 'job-failed', code: 'cancelled', message, prLink }], now)
    await announceJobEnd(transaction, job, now)
    return job
  })
}

/** @returns Null if the job is active; nothing was written then. Archived jobs are left unchanged. */
export async function archiveAgentJob(db: Db, id: string, now: number): Promise<AgentJob | null> {
  await db
    .updateTable('agentJobs')
    .set({ archivedAt: now, updatedAt: now })
    .where('id', '=', id)
    .where('status', '!=', 'active')
    .where('archivedAt', 'is', null)
    .execute()
  const job = await getAgentJob(db, id)
  return job?.archivedAt === null ? null : job
}

/** Jobs that are not archived are left unchanged. */
export async function unarchiveAgentJob(db: Db, id: string, now: number): Promise<AgentJob | null> {
  await db
    .updateTable('agentJobs')
    .set({ archivedAt: null, updatedAt: now })
    .where('id', '=', id)
    .where('archivedAt', 'is not', null)
    .execute()
  return getAgentJob(db, id)
}

/** Records and announces the new state of a job's pull request. Does nothing if the job has another one by now. */
export function setAgentJobPullRequest(
  db: Db,
  { id, pullRequest, now }: { id: string; pullRequest: AgentJobPullRequest; now: number },
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    const job = await lockAgentJob(transaction, id)
    const before = job?.pullRequest
    if (job === null || before?.id !== pullRequest.id) return
    await transaction.updateTable('agentJobs').set({ pullRequest }).where('id', '=', id).execute()
    const { url, state } = pullRequest
    if (state === before.state) return
    await appendAgentJobEvents(transaction, id, [{ type: 'pull-request-changed', url, state }], now)
    if (state === 'merged') await announceMerge(transaction, job, pullRequest, now)
  })
}

/** Locks the job's row until the transaction ends, by writing to it. */
async function lockAgentJob(db: Db, id: string): Promise<AgentJob | null> {
  const row = await db.updateTable('agentJobs').set({ id }).where('id', '=', id).returningAll().executeTakeFirst()
  return row === undefined ? null : toAgentJob(row)
}

/** The jobs of a site whose pull request has the number, newest first. */
export async function listAgentJobsOfPullRequest(
  db: Db,
  { siteId, number }: { siteId: string; number: number },
): Promise<AgentJob[]> {
  const rows = await db
    .selectFrom('agentJobs')
    .selectAll()
    .where('siteId', '=', siteId)
    // On every host, the URL of a pull request ends with its number.
    .where(sql<SqlBool>`pull_request like ${`%/${number}"%`}`)
    .orderBy('id', 'desc')
    .limit(jobsOfPullRequestMax)
    .execute()
  return rows.map(toAgentJob).filter(({ pullRequest }) => pullRequest?.url.endsWith(`/${number}`))
}

/** A pull request belongs to one job, or to a few if later jobs extended it. */
const jobsOfPullRequestMax = 50

/** Total usage of a project's jobs since a given time. `costUsd` leaves out calls without a known price. */
export async function sumAgentJobUsage(
  db: Db,
  request: { projectId: string; since: number },
): Promise<{ tokens: number; costUsd: number }> {
  const row = await db
    .selectFrom('jobSteps')
    .innerJoin('agentJobs', 'agentJobs.id', 'jobSteps.jobId')
    .select(({ fn }) => [
      fn.sum('jobSteps.inputTokens').as('input'),
      fn.sum('jobSteps.outputTokens').as('output'),
      fn.sum('jobSteps.costUsd').as('cost'),
    ])
    .where('agentJobs.projectId', '=', request.projectId)
    .where('jobSteps.createdAt', '>=', request.since)
    .executeTakeFirst()
  return { tokens: Number(row?.input ?? 0) + Number(row?.output ?? 0), costUsd: Number(row?.cost ?? 0) }
}

/** Claims the active job that has waited longest. */
export async function claimAgentJob(db: Db, { now, leaseUntil }: ClaimTimes): Promise<AgentJob | null> {
  const row = await claimNext(
    db,
    'agentJobs',
    { now, leaseUntil },
    { narrow: (query) => query.orderBy('queued.updatedAt'), change: () => ({ updatedAt: now }) },
  )
  return row && toAgentJob(row)
}
