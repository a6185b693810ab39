import { isDue } from '../is-due.ts'
import { hasChanged } from '../queries.ts'
import type { Db } from '../schema.ts'

/** A site whose source is due for a check. */
export interface DueSourceCheck {
  siteId: string
  /** In milliseconds since the epoch; null if as soon as possible. */
  dueAt: number | null
}

/**
 * Sites whose source is due for a check, longest overdue first.
 *
 * @param aheadMsMax Longest interval between checks.
 */
export async function listDueSourceChecks(
  db: Db,
  { now, aheadMsMax, limit }: { now: number; aheadMsMax: number; limit: number },
): Promise<DueSourceCheck[]> {
  const rows = await db
    .selectFrom('sites')
    .select(['id', 'sourceCheckAt'])
    .where((where) => where.or([where('sourceCheckAt', 'is', null), isDue('sourceCheckAt', now, aheadMsMax)]))
    .orderBy((order) => order.fn.coalesce('sourceCheckAt', order.val(0)))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, sourceCheckAt }) => ({ siteId: id, dueAt: sourceCheckAt }))
}

/**
 * Claims a check by rescheduling the next one. Of several replicas that see the same check due, one gets it.
 *
 * @returns Whether the caller gets to check.
 */
export function claimSourceCheck(db: Db, check: DueSourceCheck, nextAt: number): Promise<boolean> {
  return hasChanged(
    db
      .updateTable('sites')
      .set({ sourceCheckAt: nextAt })
      .where('id', '=', check.siteId)
      .where('sourceCheckAt', check.dueAt === null ? 'is' : '=', check.dueAt),
  )
}

/** Schedules a check as soon as possible, whatever time was scheduled before. */
export async function triggerSourceCheck(db: Db, siteId: string): Promise<void> {
  await db.updateTable('sites').set({ sourceCheckAt: null }).where('id', '=', siteId).execute()
}
