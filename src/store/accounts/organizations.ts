import { firstRow } from '../queries.ts'
import type { Db, Row } from '../schema.ts'

export type Organization = Row<'organizations'>

export async function insertOrganization(db: Db, organization: Organization): Promise<void> {
  await db.insertInto('organizations').values(organization).execute()
}

export function getOrganization(db: Db, id: string): Promise<Organization | null> {
  return firstRow(db.selectFrom('organizations').selectAll().where('id', '=', id))
}
