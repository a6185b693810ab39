import { sql } from 'kysely'
import { prepareStatement } from '../prepare-statement.ts'
import type { Db } from '../schema.ts'

/** Spending is counted in millionths of a US dollar or in tokens, in the same table as the limits. */
export type SpendingName = 'site-cost' | 'site-tokens' | 'job-cost' | 'job-tokens'

/** Identifies who spends in which window. */
export interface SpendingPlace {
  name: SpendingName
  /** Id of a site or project. */
  subject: string
  /** UTC milliseconds. */
  windowStart: number
}

export interface SpendingReserve extends SpendingPlace {
  /** Reserved until the actual amount is known. An integer, at least 0. */
  amount: number
  ceiling: number
}

const reserveAmount = prepareStatement(['name', 'subject', 'windowStart', 'amount', 'ceiling'], (db, values) => {
  const { name, subject, windowStart, amount, ceiling } = values
  return db
    .insertInto('counters')
    .values({ name, subject, windowStart, count: amount })
    .onConflict((conflict) =>
      conflict
        .columns(['name', 'subject', 'windowStart'])
        .doUpdateSet({ count: sql<number>`counters.count + excluded.count` })
        .where(sql<boolean>`counters.count + excluded.count <= ${ceiling}`),
    )
    .returning('count')
})

const addAmount = prepareStatement(['name', 'subject', 'windowStart', 'amount'], (db, values) =>
  db
    .updateTable('counters')
    .set((update) => ({ count: update('count', '+', values.amount) }))
    .where((where) => where.and({ name: values.name, subject: values.subject, windowStart: values.windowStart })),
)

/**
 * Reserves an amount, provided that spending and reservations stay within the ceiling.
 *
 * One statement: exact under any concurrency and across replicas.
 *
 * @returns False if it does not fit; nothing was reserved then.
 */
export async function reserveSpending(db: Db, reserve: SpendingReserve): Promise<boolean> {
  const { name, subject, windowStart, amount, ceiling } = reserve
  if (ceiling <= 0 || amount > ceiling) return false
  const rows = await reserveAmount(db, { name, subject, windowStart, amount, ceiling })
  return rows.length > 0
}

/** Adjusts a reservation to the actual spending. @param amount An integer; negative releases. */
export async function correctSpending(
  db: Db,
  { name, subject, windowStart }: SpendingPlace,
  amount: number,
): Promise<void> {
  if (amount === 0) return
  await addAmount(db, { name, subject, windowStart, amount })
}

/** A site's spending and reservations so far, in millionths of a US dollar. */
export async function readSpending(
  db: Db,
  { siteId, windowStart }: { siteId: string; windowStart: number },
): Promise<number> {
  const row = await db
    .selectFrom('counters')
    .select('count')
    .where((where) => where.and({ name: 'site-cost', subject: siteId, windowStart }))
    .executeTakeFirst()
  return row?.count ?? 0
}
