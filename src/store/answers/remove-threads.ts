import type { Kysely } from 'kysely'
import type { Database } from '../schema.ts'

/** Deletes the thread with its messages and their feedback. @returns Whether there was one. */
export async function deleteThread(db: Kysely<Database>, siteId: string, id: string): Promise<boolean> {
  const result = await db.deleteFrom('threads').where('siteId', '=', siteId).where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/**
 * Deletes threads that were last answered before a moment, the oldest first, with their messages and feedback.
 *
 * @param limit Most threads to delete at once, so that no statement holds others up for long.
 * @returns How many were deleted.
 */
export async function removeOldThreads(db: Kysely<Database>, answeredBefore: number, limit: number): Promise<number> {
  const old = await db
    .selectFrom('threads')
    .select(['siteId', 'id'])
    .where('updatedAt', '<', answeredBefore)
    .orderBy('updatedAt')
    .limit(limit)
    .execute()
  if (old.length === 0) return 0
  const result = await db
    .deleteFrom('threads')
    // Once more, because one of them may have been answered in the meantime.
    .where('updatedAt', '<', answeredBefore)
    .where((where) =>
      where.or(old.map(({ siteId, id }) => where.and([where('siteId', '=', siteId), where('id', '=', id)]))),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
