import type { Kysely } from 'kysely'
import type { Database } from '../schema.ts'

/** A site whose source is to be looked at. */
export interface DueSourceCheck {
  siteId: string
  /** The time that was agreed; null: as soon as possible. */
  dueAt: number | null
}

/** The sites whose source is due to be looked at, those that wait longest first. */
export async function listDueSourceChecks(db: Kysely<Database>, now: number, limit: number): Promise<DueSourceCheck[]> {
  const rows = await db
    .selectFrom('sites')
    .select(['id', 'sourceCheckAt'])
    .where((where) => where.or([where('sourceCheckAt', 'is', null), where('sourceCheckAt', '<=', now)]))
    .orderBy((order) => order.fn.coalesce('sourceCheckAt', order.val(0)))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, sourceCheckAt }) => ({ siteId: id, dueAt: sourceCheckAt }))
}

/**
 * Takes a look upon oneself, by moving the time of the next one. Of the replicas that see the same one due, one takes
 * it.
 *
 * @returns Whether the caller is the one that looks.
 */
export async function takeSourceCheck(db: Kysely<Database>, check: DueSourceCheck, nextAt: number): Promise<boolean> {
  const result = await db
    .updateTable('sites')
    .set({ sourceCheckAt: nextAt })
    .where('id', '=', check.siteId)
    .where('sourceCheckAt', check.dueAt === null ? 'is' : '=', check.dueAt)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Has a source looked at as soon as possible: what was agreed for it was meant for another one. */
export async function triggerSourceCheck(db: Kysely<Database>, siteId: string): Promise<void> {
  await db.updateTable('sites').set({ sourceCheckAt: null }).where('id', '=', siteId).execute()
}
