import type { Kysely } from 'kysely'
import type { Database } from '../schema.ts'

/** The role of a user in an organization; null for one who is not in it. */
export async function findUserRole(
  db: Kysely<Database>,
  organizationId: string,
  userId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('role')
    .where('organizationId', '=', organizationId)
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.role ?? null
}
