import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** Work of one kind in the whole installation. */
export interface QueueFacts {
  queue: 'syncs' | 'jobs' | 'webhooks' | 'webhook-sends'
  waiting: number
  running: number
  /** Since when the oldest that waits does; UTC milliseconds. */
  oldestAt: number | null
}

/** What waits and what is done, counted by the database. */
export async function readQueueFacts(db: Kysely<Database>, now: number): Promise<QueueFacts[]> {
  const syncs = await db
    .selectFrom('index_runs')
    .select(({ fn }) => [fn.countAll().as('count'), fn.min('created_at').as('at')])
    .select(({ eb }) => eb('state', '=', 'running').as('is_running'))
    .where('state', 'in', ['queued', 'running'])
    .groupBy('is_running')
    .execute()
  const jobs = await db
    .selectFrom('agent_jobs')
    .select(({ fn }) => [fn.countAll().as('count'), fn.min('updated_at').as('at')])
    .select(({ eb }) => eb.and([eb('lease_until', 'is not', null), eb('lease_until', '>', now)]).as('is_running'))
    .where('status', '=', 'active')
    .groupBy('is_running')
    .execute()
  // Between two tries a row looks as it does while it is worked on.
  const webhooks = await db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => [fn.countAll().as('count'), fn.min('received_at').as('at')])
    .select(({ eb }) => eb.and([eb('attempt', '>', 0), eb('run_at', '>', now)]).as('is_running'))
    .where('state', '=', 'queued')
    .groupBy('is_running')
    .execute()
  const sends = await db
    .selectFrom('webhook_sends')
    .select(({ fn }) => [fn.countAll().as('count'), fn.min('created_at').as('at')])
    .select(({ eb }) => eb.and([eb('attempt', '>', 0), eb('run_at', '>', now)]).as('is_running'))
    .where('state', '=', 'queued')
    .groupBy('is_running')
    .execute()
  return [
    toFacts('syncs', syncs),
    toFacts('jobs', jobs),
    toFacts('webhooks', webhooks),
    toFacts('webhook-sends', sends),
  ]
}

interface CountedRows {
  count: string | number | bigint
  at: number | null
  /** SQLite has no booleans. */
  is_running: unknown
}

function toFacts(queue: QueueFacts['queue'], rows: readonly CountedRows[]): QueueFacts {
  const running = rows.find(({ is_running: isRunning }) => Boolean(isRunning))
  const waiting = rows.find(({ is_running: isRunning }) => !isRunning)
  return {
    queue,
    waiting: Number(waiting?.count ?? 0),
    running: Number(running?.count ?? 0),
    oldestAt: waiting?.at ?? null,
  }
}

/** What a site serves. */
export interface ServedSite {
  slug: string
  number: number
  pageCount: number
  createdAt: number
}

/** How the sites of the installation are. */
export interface SiteFacts {
  sites: number
  /** Whose newest run failed. */
  failing: number
  withoutIndex: number
  /** The largest, largest first. */
  largest: ServedSite[]
}

export async function readSiteFacts(db: Kysely<Database>, limit: number): Promise<SiteFacts> {
  const { sites } = await db
    .selectFrom('sites')
    .select(({ fn }) => fn.countAll().as('sites'))
    .executeTakeFirstOrThrow()
  const { failing } = await db
    .selectFrom('index_runs as run')
    .select(({ fn }) => fn.countAll().as('failing'))
    .where('state', '=', 'failed')
    .where('id', '=', (select) =>
      select
        .selectFrom('index_runs as newest')
        .select(({ fn }) => fn.max('newest.id').as('id'))
        .whereRef('newest.site_id', '=', 'run.site_id'),
    )
    .executeTakeFirstOrThrow()
  const { indexed } = await db
    .selectFrom('index_generations')
    .select(({ fn }) => fn.count('site_id').distinct().as('indexed'))
    .executeTakeFirstOrThrow()
  const largest = await listLargestSites(db, limit)
  return { sites: Number(sites), failing: Number(failing), withoutIndex: Number(sites) - Number(indexed), largest }
}

async function listLargestSites(db: Kysely<Database>, limit: number): Promise<ServedSite[]> {
  return db
    .selectFrom('index_generations as generation')
    .innerJoin('sites', 'sites.id', 'generation.site_id')
    .select(['sites.slug', 'generation.number', 'page_count as pageCount', 'generation.created_at as createdAt'])
    .where('number', '=', (select) =>
      select
        .selectFrom('index_generations as newest')
        .select(({ fn }) => fn.max('newest.number').as('number'))
        .whereRef('newest.site_id', '=', 'generation.site_id'),
    )
    .orderBy('page_count', 'desc')
    .orderBy('sites.slug')
    .limit(limit)
    .execute()
}

/** What sites have spent in a window, in millionths of a US dollar, and their settings as they are stored. */
export async function listSiteSpendings(
  db: Kysely<Database>,
  { windowStart, limit }: { windowStart: number; limit: number },
): Promise<{ microUsd: number; settings: string }[]> {
  const rows = await db
    .selectFrom('counters')
    .innerJoin('sites', 'sites.id', 'counters.subject')
    .select(['counters.count', 'sites.settings'])
    .where('counters.name', '=', 'site-cost')
    .where('counters.window_start', '=', windowStart)
    .orderBy('counters.count', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ count, settings }) => ({ microUsd: count, settings }))
}

/** The ids of projects that jobs were worked on for since a moment. */
export async function listBusyProjects(
  db: Kysely<Database>,
  { since, limit }: { since: number; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('agent_jobs')
    .select('project_id')
    .distinct()
    .where('updated_at', '>=', since)
    .limit(limit)
    .execute()
  return rows.map(({ project_id: id }) => id)
}
