import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** Something that was written lately. Another version means that it was written again. */
export interface RecentChange {
  kind: 'run' | 'job' | 'thread'
  id: string
  siteId: string
  version: string
  /** Of runs: whether it has published an index. */
  hasSucceeded: boolean
}

export interface RecentChangesRequest {
  organizationId: string
  /** UTC milliseconds. */
  since: number
  /** Most of each kind, the newest. */
  limit: number
}

/** Runs, jobs and conversations of an organization that were written since a moment, and the runs that wait or run. */
export async function listRecentChanges(db: Kysely<Database>, request: RecentChangesRequest): Promise<RecentChange[]> {
  const [runs, jobs, threads] = await Promise.all([
    listRuns(db, request),
    listJobs(db, request),
    listThreads(db, request),
  ])
  return [...runs, ...jobs, ...threads]
}

async function listRuns(db: Kysely<Database>, request: RecentChangesRequest): Promise<RecentChange[]> {
  const rows = await db
    .selectFrom('index_runs')
    .select(['id', 'site_id', 'state', 'step', 'pages_done'])
    .where('site_id', 'in', sitesOf(db, request.organizationId))
    .where((where) =>
      where.or([where('state', 'in', ['queued', 'running']), where('finished_at', '>=', request.since)]),
    )
    .orderBy('id', 'desc')
    .limit(request.limit)
    .execute()
  return rows.map(({ id, site_id, state, step, pages_done }) => ({
    kind: 'run',
    id,
    siteId: site_id,
    version: `${state} ${step} ${pages_done}`,
    hasSucceeded: state === 'succeeded',
  }))
}

async function listJobs(db: Kysely<Database>, request: RecentChangesRequest): Promise<RecentChange[]> {
  const rows = await db
    .selectFrom('agent_jobs')
    .select(['id', 'site_id', 'status', 'updated_at', 'event_count'])
    .where('site_id', 'in', sitesOf(db, request.organizationId))
    .where((where) => where.or([where('status', '=', 'active'), where('updated_at', '>=', request.since)]))
    .orderBy('id', 'desc')
    .limit(request.limit)
    .execute()
  return rows.map(({ id, site_id, status, updated_at, event_count }) => ({
    kind: 'job',
    id,
    siteId: site_id,
    version: `${status} ${updated_at} ${event_count}`,
    hasSucceeded: false,
  }))
}

async function listThreads(db: Kysely<Database>, request: RecentChangesRequest): Promise<RecentChange[]> {
  const rows = await db
    .selectFrom('threads')
    .select(['id', 'site_id', 'updated_at'])
    .where('site_id', 'in', sitesOf(db, request.organizationId))
    .where('updated_at', '>=', request.since)
    .orderBy('updated_at', 'desc')
    .limit(request.limit)
    .execute()
  return rows.map(({ id, site_id, updated_at }) => ({
    kind: 'thread',
    id,
    siteId: site_id,
    version: `${updated_at}`,
    hasSucceeded: false,
  }))
}

function sitesOf(db: Kysely<Database>, organizationId: string) {
  return db
    .selectFrom('sites')
    .innerJoin('projects', 'projects.id', 'sites.project_id')
    .select('sites.id')
    .where('projects.organization_id', '=', organizationId)
}
