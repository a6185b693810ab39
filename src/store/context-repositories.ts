import type { Kysely } from 'kysely'
import { parseObject } from './json-column.ts'
import type { Database, Row } from './schema.ts'
import type { SiteSource } from './sites.ts'

/** A source that is a repository, so that it has commits. */
export interface ContextSource extends SiteSource {
  kind: Exclude<SiteSource['kind'], 'folder' | 'crawl'>
}

/** A repository that the agent may read beside the one of a site, such as that of the product. */
export interface ContextRepository {
  id: string
  siteId: string
  /** Unique within the site; `@name/` stands before its paths. */
  name: string
  source: ContextSource
  /** Sealed by `sealSecret`; opens the repository. */
  credentialSealed: string | null
  createdAt: number
}

/** Most context repositories of a site. */
export const contextRepositoriesMax = 10

/** @returns False where the site has one of that name. */
export async function insertContextRepository(db: Kysely<Database>, context: ContextRepository): Promise<boolean> {
  const row = await db
    .insertInto('context_repositories')
    .values(toRow(context))
    .onConflict((conflict) => conflict.columns(['site_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Of one site, or of all; by name. */
export async function listContextRepositories(
  db: Kysely<Database>,
  { siteId }: { siteId?: string } = {},
): Promise<ContextRepository[]> {
  let query = db.selectFrom('context_repositories').selectAll()
  if (siteId !== undefined) query = query.where('site_id', '=', siteId)
  return (await query.orderBy('name').orderBy('id').execute()).map(toContextRepository)
}

/** Those of the sites of an organization, by name. */
export async function listContextRepositoriesOfOrganization(
  db: Kysely<Database>,
  organizationId: string,
): Promise<ContextRepository[]> {
  const rows = await db
    .selectFrom('context_repositories')
    .innerJoin('sites', 'sites.id', 'context_repositories.site_id')
    .innerJoin('projects', 'projects.id', 'sites.project_id')
    .selectAll('context_repositories')
    .where('projects.organization_id', '=', organizationId)
    .orderBy('context_repositories.name')
    .execute()
  return rows.map(toContextRepository)
}

export async function getContextRepository(db: Kysely<Database>, id: string): Promise<ContextRepository | null> {
  const row = await db.selectFrom('context_repositories').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toContextRepository(row)
}

/** Changes where it is read from and what opens it. @returns Whether there was one. */
export async function updateContextRepository(
  db: Kysely<Database>,
  { id, source, credentialSealed }: Pick<ContextRepository, 'id' | 'source' | 'credentialSealed'>,
): Promise<boolean> {
  const result = await db
    .updateTable('context_repositories')
    .set({ source: JSON.stringify(source), credential_sealed: credentialSealed })
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function deleteContextRepository(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('context_repositories').where('id', '=', id).execute()
}

function toRow(context: ContextRepository): Row<'context_repositories'> {
  return {
    id: context.id,
    site_id: context.siteId,
    name: context.name,
    source: JSON.stringify(context.source),
    credential_sealed: context.credentialSealed,
    created_at: context.createdAt,
  }
}

function toContextRepository(row: Row<'context_repositories'>): ContextRepository {
  return {
    id: row.id,
    siteId: row.site_id,
    name: row.name,
    source: parseObject<ContextSource>('context_repositories.source', row.source),
    credentialSealed: row.credential_sealed,
    createdAt: row.created_at,
  }
}
