import type { Kysely } from 'kysely'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'

export interface Project {
  id: string
  organizationId: string
  name: string
  createdAt: number
}

export async function insertProject(db: Kysely<Database>, project: Project): Promise<void> {
  const { id, organizationId, name, createdAt } = project
  await db.insertInto('projects').values({ id, organizationId, name, createdAt }).execute()
}

export async function getProject(db: Kysely<Database>, id: string): Promise<Project | null> {
  const row = await db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toProject(row)
}

/** Of one organization, or of all where none is named; by id, ascending; the cursor is an id. */
export async function listProjects(
  db: Kysely<Database>,
  request: ListRequest & { organizationId?: string | undefined },
): Promise<Listing<Project>> {
  const { limit, cursor, organizationId } = request
  let query = db.selectFrom('projects').selectAll()
  if (organizationId !== undefined) query = query.where('organizationId', '=', organizationId)
  if (cursor) query = query.where('id', '>', cursor)
  const rows = await query
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toProject, (row) => row.id)
}

/** Deletes everything of it. @returns Whether there was one. */
export async function deleteProject(db: Kysely<Database>, id: string): Promise<boolean> {
  const result = await db.deleteFrom('projects').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}

function toProject(row: Row<'projects'>): Project {
  return { id: row.id, organizationId: row.organizationId, name: row.name, createdAt: row.createdAt }
}
