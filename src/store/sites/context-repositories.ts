import { hasChanged, hasRow } from '../queries.ts'
import type { Db, Row } from '../schema.ts'

export type { ContextSource } from '../tables/sites.ts'

/** A repository that the agent may read besides the site's own, such as the product's. */
export type ContextRepository = Row<'contextRepositories'>

/** Most context repositories of a site. */
export const contextRepositoriesMax = 10

/** @returns False if the site already has one with that name. */
export function insertContextRepository(db: Db, context: ContextRepository): Promise<boolean> {
  return hasRow(
    db
      .insertInto('contextRepositories')
      .values(context)
      .onConflict((conflict) => conflict.columns(['siteId', 'name']).doNothing())
      .returning('id'),
  )
}

/** Lists one site's, or all; by name. */
export function listContextRepositories(db: Db, { siteId }: { siteId?: string } = {}): Promise<ContextRepository[]> {
  let query = db.selectFrom('contextRepositories').selectAll()
  if (siteId !== undefined) query = query.where('siteId', '=', siteId)
  return query.orderBy('name').orderBy('id').execute()
}

/** Lists the products of all sites that are on one kind of host. */
export async function listProductRepositories(
  db: Db,
  kind: ContextRepository['source']['kind'],
): Promise<ContextRepository[]> {
  const products = await db.selectFrom('contextRepositories').selectAll().where('role', '=', 'product').execute()
  return products.filter(({ source }) => source.kind === kind)
}

/** Lists those of all sites of an organization, by name. */
export function listContextRepositoriesOfOrganization(db: Db, organizationId: string): Promise<ContextRepository[]> {
  return db
    .selectFrom('contextRepositories')
    .innerJoin('sites', 'sites.id', 'contextRepositories.siteId')
    .innerJoin('projects', 'projects.id', 'sites.projectId')
    .selectAll('contextRepositories')
    .where('projects.organizationId', '=', organizationId)
    .orderBy('contextRepositories.name')
    .execute()
}

export async function getContextRepository(db: Db, id: string): Promise<ContextRepository | null> {
  const row = await db.selectFrom('contextRepositories').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Replaces source and credential. @returns Whether it exists. */
export function updateContextRepository(
  db: Db,
  { id, source, role, credentialSealed }: Pick<ContextRepository, 'id' | 'source' | 'role' | 'credentialSealed'>,
): Promise<boolean> {
  return hasChanged(db.updateTable('contextRepositories').set({ source, role, credentialSealed }).where('id', '=', id))
}

export async function deleteContextRepository(db: Db, id: string): Promise<void> {
  await db.deleteFrom('contextRepositories').where('id', '=', id).execute()
}
