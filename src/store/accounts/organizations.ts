import type { Kysely } from 'kysely'
import type { Database, Row } from '../schema.ts'

export type Organization = Row<'organizations'>

export async function insertOrganization(db: Kysely<Database>, organization: Organization): Promise<void> {
  await db.insertInto('organizations').values(organization).execute()
}

export async function getOrganization(db: Kysely<Database>, id: string): Promise<Organization | null> {
  const row = await db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}
