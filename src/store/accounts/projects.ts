import { listById, type Listing, type ListRequest } from '../listing.ts'
import { firstRow } from '../queries.ts'
import type { Db, Row } from '../schema.ts'

export type Project = Row<'projects'>

export async function insertProject(db: Db, project: Project): Promise<void> {
  await db.insertInto('projects').values(project).execute()
}

export function getProject(db: Db, id: string): Promise<Project | null> {
  return firstRow(db.selectFrom('projects').selectAll().where('id', '=', id))
}

/** Lists one organization's projects, or all; by id, ascending; the cursor is an id. */
export function listProjects(
  db: Db,
  request: ListRequest & { organizationId?: string | undefined },
): Promise<Listing<Project>> {
  const { organizationId } = request
  let query = db.selectFrom('projects').selectAll()
  if (organizationId !== undefined) query = query.where('organizationId', '=', organizationId)
  return listById(query, request)
}
