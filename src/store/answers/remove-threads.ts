import { hasChanged } from '../queries.ts'
import type { Db } from '../schema.ts'

/** Cascades to its messages and their feedback. @returns Whether it existed. */
export function deleteThread(db: Db, siteId: string, id: string): Promise<boolean> {
  return hasChanged(db.deleteFrom('threads').where('siteId', '=', siteId).where('id', '=', id))
}

/**
 * Deletes the threads last answered before a given time, oldest first, with their messages and feedback.
 *
 * @param limit Most threads per call, so that the statement does not block others for long.
 * @returns How many were deleted.
 */
export async function removeOldThreads(db: Db, answeredBefore: number, limit: number): Promise<number> {
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
    // Checked again, because a thread may have been answered since.
    .where('updatedAt', '<', answeredBefore)
    .where((where) =>
      where.or(old.map(({ siteId, id }) => where.and([where('siteId', '=', siteId), where('id', '=', id)]))),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes feedback on pages, which belongs to no thread, last changed before a given time. */
export async function removeOldPageFeedback(db: Db, changedBefore: number): Promise<void> {
  await db.deleteFrom('feedback').where('messageId', 'is', null).where('updatedAt', '<', changedBefore).execute()
}
