import type { Db } from '../schema.ts'

/** A user's role in an organization; null if not a member. */
export async function findUserRole(db: Db, organizationId: string, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('role')
    .where('organizationId', '=', organizationId)
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.role ?? null
}
