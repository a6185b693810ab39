import type { Db, Row } from '../schema.ts'

/** A site's served index. */
export interface ServedSite {
  slug: string
  number: number
  pageCount: number
  createdAt: number
}

/** State of all sites of the installation. */
export interface SiteFacts {
  sites: number
  /** Sites whose newest run failed. */
  failing: number
  withoutIndex: number
  /** The largest sites, largest first. */
  largest: ServedSite[]
}

export async function readSiteFacts(db: Db, limit: number): Promise<SiteFacts> {
  const { sites } = await db
    .selectFrom('sites')
    .select(({ fn }) => fn.countAll().as('sites'))
    .executeTakeFirstOrThrow()
  const { failing } = await db
    .selectFrom('indexRuns as run')
    .select(({ fn }) => fn.countAll().as('failing'))
    .where('state', '=', 'failed')
    .where('id', '=', (select) =>
      select
        .selectFrom('indexRuns as newest')
        .select(({ fn }) => fn.max('newest.id').as('id'))
        .whereRef('newest.siteId', '=', 'run.siteId'),
    )
    .executeTakeFirstOrThrow()
  const { indexed } = await db
    .selectFrom('indexGenerations')
    .select(({ fn }) => fn.count('siteId').distinct().as('indexed'))
    .executeTakeFirstOrThrow()
  const largest = await listLargestSites(db, limit)
  return { sites: Number(sites), failing: Number(failing), withoutIndex: Number(sites) - Number(indexed), largest }
}

function listLargestSites(db: Db, limit: number): Promise<ServedSite[]> {
  return db
    .selectFrom('indexGenerations as generation')
    .innerJoin('sites', 'sites.id', 'generation.siteId')
    .select(['sites.slug', 'generation.number', 'pageCount as pageCount', 'generation.createdAt as createdAt'])
    .where('number', '=', (select) =>
      select
        .selectFrom('indexGenerations as newest')
        .select(({ fn }) => fn.max('newest.number').as('number'))
        .whereRef('newest.siteId', '=', 'generation.siteId'),
    )
    .orderBy('pageCount', 'desc')
    .orderBy('sites.slug')
    .limit(limit)
    .execute()
}

/** Spending of sites in a window, in millionths of a US dollar, with their settings. */
export async function listSiteSpendings(
  db: Db,
  { windowStart, limit }: { windowStart: number; limit: number },
): Promise<{ microUsd: number; settings: Row<'sites'>['settings'] }[]> {
  const rows = await db
    .selectFrom('counters')
    .innerJoin('sites', 'sites.id', 'counters.subject')
    .select(['counters.count', 'sites.settings'])
    .where('counters.name', '=', 'site-cost')
    .where('counters.windowStart', '=', windowStart)
    .orderBy('counters.count', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ count, settings }) => ({ microUsd: count, settings }))
}

/** Ids of projects with jobs updated since a given time. */
export async function listBusyProjects(db: Db, { since, limit }: { since: number; limit: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('agentJobs')
    .select('projectId')
    .distinct()
    .where('updatedAt', '>=', since)
    .limit(limit)
    .execute()
  return rows.map(({ projectId: id }) => id)
}
