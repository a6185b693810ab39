import type { Kysely } from 'kysely'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'

export interface Organization {
  id: string
  name: string
  createdAt: number
}

export async function insertOrganization(db: Kysely<Database>, organization: Organization): Promise<void> {
  const { id, name, createdAt } = organization
  await db.insertInto('organizations').values({ id, name, createdAt }).execute()
}

export async function getOrganization(db: Kysely<Database>, id: string): Promise<Organization | null> {
  const row = await db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toOrganization(row)
}

/** By id, ascending; the cursor is an id. */
export async function listOrganizations(db: Kysely<Database>, request: ListRequest): Promise<Listing<Organization>> {
  const { limit, cursor } = request
  let query = db.selectFrom('organizations').selectAll()
  if (cursor) query = query.where('id', '>', cursor)
  const rows = await query
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toOrganization, (row) => row.id)
}

/** Deletes everything of it: projects, sites, keys, threads. @returns Whether there was one. */
export async function deleteOrganization(db: Kysely<Database>, id: string): Promise<boolean> {
  const result = await db.deleteFrom('organizations').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}

function toOrganization(row: Row<'organizations'>): Organization {
  return { id: row.id, name: row.name, createdAt: row.createdAt }
}
