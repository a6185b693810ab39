import type { Kysely } from 'kysely'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import type { Database, Row } from '../schema.ts'

export type Organization = Row<'organizations'>

export async function insertOrganization(db: Kysely<Database>, organization: Organization): Promise<void> {
  await db.insertInto('organizations').values(organization).execute()
}

export async function getOrganization(db: Kysely<Database>, id: string): Promise<Organization | null> {
  const row = await db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** By id, ascending; the cursor is an id. */
export function listOrganizations(db: Kysely<Database>, request: ListRequest): Promise<Listing<Organization>> {
  return listById(db.selectFrom('organizations').selectAll(), request)
}

/** Cascades to its projects, sites, keys and threads. @returns Whether it existed. */
export async function deleteOrganization(db: Kysely<Database>, id: string): Promise<boolean> {
  const result = await db.deleteFrom('organizations').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}
