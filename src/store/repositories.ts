import type { Kysely } from 'kysely'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'

/** A repository of the built-in host. */
export interface Repository {
  id: string
  organizationId: string
  /** `default/docs`: the organization and a name, no two alike. */
  name: string
  /** The name of its bare repository within the folder of repositories; never made of what a user chose. */
  folder: string
  /** Without `refs/heads/`. */
  defaultBranch: string
  createdAt: number
}

/** @returns Whether it was inserted: false when another repository has the name. */
export async function insertRepository(db: Kysely<Database>, repository: Repository): Promise<boolean> {
  const row = await db
    .insertInto('repositories')
    .values({
      id: repository.id,
      organizationId: repository.organizationId,
      name: repository.name,
      folder: repository.folder,
      defaultBranch: repository.defaultBranch,
      pullRequestCount: 0,
      createdAt: repository.createdAt,
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function getRepository(db: Kysely<Database>, id: string): Promise<Repository | null> {
  const row = await db.selectFrom('repositories').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toRepository(row)
}

export async function findRepository(db: Kysely<Database>, name: string): Promise<Repository | null> {
  const row = await db.selectFrom('repositories').selectAll().where('name', '=', name).executeTakeFirst()
  return row === undefined ? null : toRepository(row)
}

/** Of one organization, or of all where none is named; by id, ascending; the cursor is an id. */
export async function listRepositories(
  db: Kysely<Database>,
  request: ListRequest & { organizationId?: string | undefined },
): Promise<Listing<Repository>> {
  const { limit, cursor, organizationId } = request
  let query = db.selectFrom('repositories').selectAll()
  if (organizationId !== undefined) query = query.where('organizationId', '=', organizationId)
  if (cursor) query = query.where('id', '>', cursor)
  const rows = await query
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toRepository, (row) => row.id)
}

/** Deletes its pull requests too. @returns Whether there was one. */
export async function deleteRepository(db: Kysely<Database>, id: string): Promise<boolean> {
  const result = await db.deleteFrom('repositories').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}

function toRepository(row: Row<'repositories'>): Repository {
  return {
    id: row.id,
    organizationId: row.organizationId,
    name: row.name,
    folder: row.folder,
    defaultBranch: row.defaultBranch,
    createdAt: row.createdAt,
  }
}
