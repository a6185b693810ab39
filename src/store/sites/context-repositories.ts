import type { Kysely } from 'kysely'
import type { Database, Row } from '../schema.ts'

export type { ContextSource } from '../tables/sites.ts'

/** A repository that the agent may read besides the site's own, such as the product's. */
export type ContextRepository = Row<'contextRepositories'>

/** Most context repositories of a site. */
export const contextRepositoriesMax = 10

/** @returns False if the site already has one with that name. */
export async function insertContextRepository(db: Kysely<Database>, context: ContextRepository): Promise<boolean> {
  const row = await db
    .insertInto('contextRepositories')
    .values(context)
    .onConflict((conflict) => conflict.columns(['siteId', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Lists one site's, or all; by name. */
export async function listContextRepositories(
  db: Kysely<Database>,
  { siteId }: { siteId?: string } = {},
): Promise<ContextRepository[]> {
  let query = db.selectFrom('contextRepositories').selectAll()
  if (siteId !== undefined) query = query.where('siteId', '=', siteId)
  return query.orderBy('name').orderBy('id').execute()
}

/** Lists the products of all sites that are on one kind of host. */
export async function listProductRepositories(
  db: Kysely<Database>,
  kind: ContextRepository['source']['kind'],
): Promise<ContextRepository[]> {
  const products = await db.selectFrom('contextRepositories').selectAll().where('role', '=', 'product').execute()
  return products.filter(({ source }) => source.kind === kind)
}

/** Lists those of all sites of an organization, by name. */
export async function listContextRepositoriesOfOrganization(
  db: Kysely<Database>,
  organizationId: string,
): Promise<ContextRepository[]> {
  return db
    .selectFrom('contextRepositories')
    .innerJoin('sites', 'sites.id', 'contextRepositories.siteId')
    .innerJoin('projects', 'projects.id', 'sites.projectId')
    .selectAll('contextRepositories')
    .where('projects.organizationId', '=', organizationId)
    .orderBy('contextRepositories.name')
    .execute()
}

export async function getContextRepository(db: Kysely<Database>, id: string): Promise<ContextRepository | null> {
  const row = await db.selectFrom('contextRepositories').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Replaces source and credential. @returns Whether it exists. */
export async function updateContextRepository(
  db: Kysely<Database>,
  { id, source, role, credentialSealed }: Pick<ContextRepository, 'id' | 'source' | 'role' | 'credentialSealed'>,
): Promise<boolean> {
  const result = await db
    .updateTable('contextRepositories')
    .set({ source, role, credentialSealed })
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function deleteContextRepository(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('contextRepositories').where('id', '=', id).execute()
}
