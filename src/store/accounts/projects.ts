import type { Kysely } from 'kysely'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import type { Database, Row } from '../schema.ts'

export type Project = Row<'projects'>

export async function insertProject(db: Kysely<Database>, project: Project): Promise<void> {
  await db.insertInto('projects').values(project).execute()
}

export async function getProject(db: Kysely<Database>, id: string): Promise<Project | null> {
  const row = await db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Lists one organization's projects, or all; by id, ascending; the cursor is an id. */
export function listProjects(
  db: Kysely<Database>,
  request: ListRequest & { organizationId?: string | undefined },
): Promise<Listing<Project>> {
  const { organizationId } = request
  let query = db.selectFrom('projects').selectAll()
  if (organizationId !== undefined) query = query.where('organizationId', '=', organizationId)
  return listById(query, request)
}
