import { selectSiteIds } from '../queries.ts'
import type { Db } from '../schema.ts'

/** A recently written item. A different version means that it was written again. */
export interface RecentChange {
  kind: 'run' | 'job' | 'thread'
  id: string
  siteId: string
  version: string
  /** For runs: whether the run has published an index. */
  hasSucceeded: boolean
}

export interface RecentChangesRequest {
  organizationId: string
  /** UTC milliseconds. */
  since: number
  /** Most items of each kind; the newest are kept. */
  limit: number
}

/** An organization's runs, jobs and conversations written since a given time, plus unfinished runs and active jobs. */
export async function listRecentChanges(db: Db, request: RecentChangesRequest): Promise<RecentChange[]> {
  const [runs, jobs, threads] = await Promise.all([
    listRuns(db, request),
    listJobs(db, request),
    listThreads(db, request),
  ])
  return [...runs, ...jobs, ...threads]
}

async function listRuns(db: Db, request: RecentChangesRequest): Promise<RecentChange[]> {
  const rows = await db
    .selectFrom('indexRuns')
    .select(['id', 'siteId', 'state', 'step', 'pagesDone'])
    .where('siteId', 'in', selectSiteIds(db, request.organizationId))
    .where((where) => where.or([where('state', 'in', ['queued', 'running']), where('finishedAt', '>=', request.since)]))
    .orderBy('id', 'desc')
    .limit(request.limit)
    .execute()
  return rows.map(({ id, siteId, state, step, pagesDone }) => ({
    kind: 'run',
    id,
    siteId,
    version: `${state} ${step} ${pagesDone}`,
    hasSucceeded: state === 'succeeded',
  }))
}

async function listJobs(db: Db, request: RecentChangesRequest): Promise<RecentChange[]> {
  const rows = await db
    .selectFrom('agentJobs')
    .select(['id', 'siteId', 'status', 'updatedAt', 'eventCount'])
    .where('siteId', 'in', selectSiteIds(db, request.organizationId))
    .where((where) => where.or([where('status', '=', 'active'), where('updatedAt', '>=', request.since)]))
    .orderBy('id', 'desc')
    .limit(request.limit)
    .execute()
  return rows.map(({ id, siteId, status, updatedAt, eventCount }) => ({
    kind: 'job',
    id,
    siteId,
    version: `${status} ${updatedAt} ${eventCount}`,
    hasSucceeded: false,
  }))
}

async function listThreads(db: Db, request: RecentChangesRequest): Promise<RecentChange[]> {
  const rows = await db
    .selectFrom('threads')
    .select(['id', 'siteId', 'updatedAt'])
    .where('siteId', 'in', selectSiteIds(db, request.organizationId))
    .where('updatedAt', '>=', request.since)
    .orderBy('updatedAt', 'desc')
    .limit(request.limit)
    .execute()
  return rows.map(({ id, siteId, updatedAt }) => ({
    kind: 'thread',
    id,
    siteId,
    version: `${updatedAt}`,
    hasSucceeded: false,
  }))
}
