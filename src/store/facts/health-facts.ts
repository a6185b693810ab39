import { selectSiteIds } from '../queries.ts'
import type { Db } from '../schema.ts'

/** Outcomes of recent answers by model. */
export interface ModelOutcomes {
  /** Null for answers that ended before a model was chosen. */
  model: string | null
  answers: number
  failed: number
}

/** Counts an organization's answers since a given time. */
export async function listModelOutcomes(
  db: Db,
  { organizationId, since }: { organizationId: string; since: number },
): Promise<ModelOutcomes[]> {
  const rows = await db
    .selectFrom('messages')
    .select(({ fn, case: when }) => [
      'model',
      fn.countAll().as('answers'),
      fn.sum(when().when('verdict', '=', 'failed').then(1).else(0).end()).as('failed'),
    ])
    .where('role', '=', 'assistant')
    .where('createdAt', '>=', since)
    .where('siteId', 'in', selectSiteIds(db, organizationId))
    .groupBy('model')
    .orderBy('model')
    .execute()
  return rows.map(({ model, answers, failed }) => ({ model, answers: Number(answers), failed: Number(failed) }))
}

/** A site's served index and newest run, for health checks. */
export interface SiteIndexState {
  siteId: string
  slug: string
  sourceKind: string
  generation: { number: number; file: string; pageCount: number; findings: number; createdAt: number } | null
  run: { state: string; step: string | null; failure: string | null } | null
}

/** Lists the first sites of an organization, by slug. */
export async function listSiteIndexStates(
  db: Db,
  { organizationId, limit }: { organizationId: string; limit: number },
): Promise<SiteIndexState[]> {
  const sites = await db
    .selectFrom('sites')
    .innerJoin('projects', 'projects.id', 'sites.projectId')
    .select(['sites.id', 'sites.slug', 'sites.source'])
    .where('projects.organizationId', '=', organizationId)
    .orderBy('sites.slug')
    .limit(limit)
    .execute()
  if (sites.length === 0) return []
  const ids = sites.map(({ id }) => id)
  const [generations, runs] = await Promise.all([listNewestGenerations(db, ids), listNewestRuns(db, ids)])
  return sites.map(({ id, slug, source }) => ({
    siteId: id,
    slug,
    sourceKind: source.kind,
    generation: generations.get(id) ?? null,
    run: runs.get(id) ?? null,
  }))
}

async function listNewestGenerations(db: Db, siteIds: readonly string[]) {
  const rows = await db
    .selectFrom('indexGenerations as generation')
    .select(['siteId', 'number', 'file', 'pageCount', 'findings', 'createdAt'])
    .where('siteId', 'in', siteIds)
    .where('number', '=', (select) =>
      select
        .selectFrom('indexGenerations as newest')
        .select(({ fn }) => fn.max('newest.number').as('number'))
        .whereRef('newest.siteId', '=', 'generation.siteId'),
    )
    .execute()
  return new Map(
    rows.map(({ siteId, number, file, pageCount, findings, createdAt }) => [
      siteId,
      { number, file, pageCount, findings: findings.length, createdAt },
    ]),
  )
}

async function listNewestRuns(db: Db, siteIds: readonly string[]) {
  const rows = await db
    .selectFrom('indexRuns as run')
    .select(['siteId', 'state', 'step', 'failure'])
    .where('siteId', 'in', siteIds)
    .where('id', '=', (select) =>
      select
        .selectFrom('indexRuns as newest')
        .select(({ fn }) => fn.max('newest.id').as('id'))
        .whereRef('newest.siteId', '=', 'run.siteId'),
    )
    .execute()
  return new Map(rows.map(({ siteId, ...run }) => [siteId, run]))
}
