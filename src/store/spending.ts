import { type Kysely, sql } from 'kysely'
import type { Database } from './schema.ts'

/** What a site spends in one window, in millionths of a US dollar. Kept beside the counts of the limits. */
export interface SpendingWindow {
  siteId: string
  /** UTC milliseconds. */
  windowStart: number
}

const counterName = 'site-cost'

export interface SpendingReserve extends SpendingWindow {
  /** What is put aside until the real amount is known; at least 1. */
  microUsd: number
  /** The ceiling. */
  microUsdMax: number
}

/**
 * Puts an amount aside while less than the ceiling is spent or put aside.
 *
 * One statement, exact under any concurrency and across replicas: the sum of all reserves passes the ceiling by less
 * than one of them.
 *
 * @returns False when the ceiling is reached; nothing was put aside then.
 */
export async function reserveSpending(db: Kysely<Database>, reserve: SpendingReserve): Promise<boolean> {
  const { siteId, windowStart, microUsd, microUsdMax } = reserve
  if (microUsdMax <= 0) return false
  const row = await db
    .insertInto('counters')
    .values({ name: counterName, subject: siteId, window_start: windowStart, count: microUsd })
    .onConflict((conflict) =>
      conflict
        .columns(['name', 'subject', 'window_start'])
        .doUpdateSet({ count: sql<number>`counters.count + excluded.count` })
        .where('counters.count', '<', microUsdMax),
    )
    .returning('count')
    .executeTakeFirst()
  return row !== undefined
}

/** Corrects what was put aside by what was really spent. @param microUsd Whole; negative takes back. */
export async function correctSpending(
  db: Kysely<Database>,
  { siteId, windowStart }: SpendingWindow,
  microUsd: number,
): Promise<void> {
  if (microUsd === 0) return
  await db
    .updateTable('counters')
    .set((update) => ({ count: update('count', '+', microUsd) }))
    .where('name', '=', counterName)
    .where('subject', '=', siteId)
    .where('window_start', '=', windowStart)
    .execute()
}

/** What was spent and put aside so far. */
export async function readSpending(db: Kysely<Database>, { siteId, windowStart }: SpendingWindow): Promise<number> {
  const row = await db
    .selectFrom('counters')
    .select('count')
    .where('name', '=', counterName)
    .where('subject', '=', siteId)
    .where('window_start', '=', windowStart)
    .executeTakeFirst()
  return row?.count ?? 0
}
