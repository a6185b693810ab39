import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** How answers ended lately, by the model that gave them. */
export interface ModelOutcomes {
  /** Null where an answer ended before one was chosen. */
  model: string | null
  answers: number
  failed: number
}

/** Of the answers of an organization since a moment. */
export async function listModelOutcomes(
  db: Kysely<Database>,
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
    .where('created_at', '>=', since)
    .where('site_id', 'in', (select) =>
      select
        .selectFrom('sites')
        .innerJoin('projects', 'projects.id', 'sites.project_id')
        .select('sites.id')
        .where('projects.organization_id', '=', organizationId),
    )
    .groupBy('model')
    .orderBy('model')
    .execute()
  return rows.map(({ model, answers, failed }) => ({ model, answers: Number(answers), failed: Number(failed) }))
}

/** What a site serves and how its newest run went, as far as health needs it. */
export interface SiteIndexState {
  siteId: string
  slug: string
  sourceKind: string
  generation: { number: number; file: string; pageCount: number; findings: number; createdAt: number } | null
  run: { state: string; step: string | null; failure: string | null } | null
}

/** Of the first sites of an organization, by slug. */
export async function listSiteIndexStates(
  db: Kysely<Database>,
  { organizationId, limit }: { organizationId: string; limit: number },
): Promise<SiteIndexState[]> {
  const sites = await db
    .selectFrom('sites')
    .innerJoin('projects', 'projects.id', 'sites.project_id')
    .select(['sites.id', 'sites.slug', 'sites.source'])
    .where('projects.organization_id', '=', organizationId)
    .orderBy('sites.slug')
    .limit(limit)
    .execute()
  if (sites.length === 0) return []
  const ids = sites.map(({ id }) => id)
  const [generations, runs] = await Promise.all([listNewestGenerations(db, ids), listNewestRuns(db, ids)])
  return sites.map(({ id, slug, source }) => ({
    siteId: id,
    slug,
    // The column holds what `sites.ts` wrote, which always has a kind.
    sourceKind: (JSON.parse(source) as { kind: string }).kind,
    generation: generations.get(id) ?? null,
    run: runs.get(id) ?? null,
  }))
}

async function listNewestGenerations(db: Kysely<Database>, siteIds: readonly string[]) {
  const rows = await db
    .selectFrom('index_generations as generation')
    .select(['site_id', 'number', 'file', 'page_count', 'findings', 'created_at'])
    .where('site_id', 'in', siteIds)
    .where('number', '=', (select) =>
      select
        .selectFrom('index_generations as newest')
        .select(({ fn }) => fn.max('newest.number').as('number'))
        .whereRef('newest.site_id', '=', 'generation.site_id'),
    )
    .execute()
  return new Map(
    rows.map(({ site_id, number, file, page_count, findings, created_at }) => [
      site_id,
      { number, file, pageCount: page_count, findings: countItems(findings), createdAt: created_at },
    ]),
  )
}

async function listNewestRuns(db: Kysely<Database>, siteIds: readonly string[]) {
  const rows = await db
    .selectFrom('index_runs as run')
    .select(['site_id', 'state', 'step', 'failure'])
    .where('site_id', 'in', siteIds)
    .where('id', '=', (select) =>
      select
        .selectFrom('index_runs as newest')
        .select(({ fn }) => fn.max('newest.id').as('id'))
        .whereRef('newest.site_id', '=', 'run.site_id'),
    )
    .execute()
  return new Map(rows.map(({ site_id, ...run }) => [site_id, run]))
}

function countItems(json: string): number {
  const items: unknown = JSON.parse(json)
  return Array.isArray(items) ? items.length : 0
}
