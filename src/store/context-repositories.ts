import type { Kysely } from 'kysely'
import type { Database, Row } from './schema.ts'
import type { ContextSource } from './tables/sites.ts'

export type { ContextSource } from './tables/sites.ts'

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
    .insertInto('contextRepositories')
    .values(toRow(context))
    .onConflict((conflict) => conflict.columns(['siteId', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Of one site, or of all; by name. */
export async function listContextRepositories(
  db: Kysely<Database>,
  { siteId }: { siteId?: string } = {},
): Promise<ContextRepository[]> {
  let query = db.selectFrom('contextRepositories').selectAll()
  if (siteId !== undefined) query = query.where('siteId', '=', siteId)
  return (await query.orderBy('name').orderBy('id').execute()).map(toContextRepository)
}

/** Those of the sites of an organization, by name. */
export async function listContextRepositoriesOfOrganization(
  db: Kysely<Database>,
  organizationId: string,
): Promise<ContextRepository[]> {
  const rows = await db
    .selectFrom('contextRepositories')
    .innerJoin('sites', 'sites.id', 'contextRepositories.siteId')
    .innerJoin('projects', 'projects.id', 'sites.projectId')
    .selectAll('contextRepositories')
    .where('projects.organizationId', '=', organizationId)
    .orderBy('contextRepositories.name')
    .execute()
  return rows.map(toContextRepository)
}

export async function getContextRepository(db: Kysely<Database>, id: string): Promise<ContextRepository | null> {
  const row = await db.selectFrom('contextRepositories').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toContextRepository(row)
}

/** Changes where it is read from and what opens it. @returns Whether there was one. */
export async function updateContextRepository(
  db: Kysely<Database>,
  { id, source, credentialSealed }: Pick<ContextRepository, 'id' | 'source' | 'credentialSealed'>,
): Promise<boolean> {
  const result = await db
    .updateTable('contextRepositories')
    .set({ source, credentialSealed })
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function deleteContextRepository(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('contextRepositories').where('id', '=', id).execute()
}

function toRow(context: ContextRepository): Row<'contextRepositories'> {
  return {
    id: context.id,
    siteId: context.siteId,
    name: context.name,
    source: context.source,
    credentialSealed: context.credentialSealed,
    createdAt: context.createdAt,
  }
}

function toContextRepository(row: Row<'contextRepositories'>): ContextRepository {
  return {
    id: row.id,
    siteId: row.siteId,
    name: row.name,
    source: row.source,
    credentialSealed: row.credentialSealed,
    createdAt: row.createdAt,
  }
}
