import { sql } from 'kysely'
import type { Db } from '../schema.ts'

export interface SignInAttempt {
  /** Identifies the account or network whose failures are counted, without revealing it. */
  subject: string
  now: number
  /** Failures before the first delay. */
  freeFailures: number
  /** The first delay, in milliseconds. Each further failure doubles it. */
  delayMs: number
  /** The longest delay, in milliseconds. */
  delayMsMax: number
  /** Failures are forgotten if the last one was before this time. */
  forgetBefore: number
}

/**
 * Whether an attempt is allowed: if so, the failures counted so far, including this attempt; if not, how long to wait.
 */
export type TakenAttempt = { isTaken: true; failures: number } | { isTaken: false; waitMs: number }

/**
 * Counts an attempt as failed before any comparison and sets the resulting delay; `returnAttempt` undoes it on
 * success. That way a thousand concurrent attempts get no further than consecutive ones.
 */
export async function takeSignInAttempt(db: Db, attempt: SignInAttempt): Promise<TakenAttempt> {
  const { subject, now, freeFailures, delayMs, delayMsMax, forgetBefore } = attempt
  const isForgotten = sql<boolean>`sign_in_attempts.updated_at < ${forgetBefore}`
  const doublings = Math.ceil(Math.log2(delayMsMax / delayMs))
  // Delay of the failure counted now. `cast`, because PostgreSQL cannot shift by a bigint.
  const delay = sql<number>`case
    when ${isForgotten} or sign_in_attempts.failures < ${sql.lit(freeFailures)} then 0
    when sign_in_attempts.failures >= ${sql.lit(freeFailures + doublings)} then ${sql.lit(delayMsMax)}
    else ${sql.lit(delayMs)} * (1 << cast(sign_in_attempts.failures - ${sql.lit(freeFailures)} as integer))
  end`
  const taken = await db
    .insertInto('signInAttempts')
    .values({ subject, failures: 1, blockedUntil: freeFailures > 0 ? 0 : now + delayMs, updatedAt: now })
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet({
          failures: sql<number>`case when ${isForgotten} then 1 else sign_in_attempts.failures + 1 end`,
          blockedUntil: sql<number>`cast(${now} as bigint) + ${delay}`,
          updatedAt: now,
        })
        .where('signInAttempts.blockedUntil', '<=', now),
    )
    .returning('failures')
    .executeTakeFirst()
  if (taken !== undefined) return { isTaken: true, failures: taken.failures }
  const row = await db
    .selectFrom('signInAttempts')
    .select('blockedUntil')
    .where('subject', '=', subject)
    .executeTakeFirst()
  return { isTaken: false, waitMs: Math.max(1, (row?.blockedUntil ?? now) - now) }
}

/**
 * Restarts delays set while the clock ran ahead of `now`, so that after its correction nobody waits for the clock to
 * catch up.
 *
 * @param delayMsMax Longest delay from now on.
 */
export async function restartFutureDelays(
  db: Db,
  { subjects, now, delayMsMax }: { subjects: readonly string[]; now: number; delayMsMax: number },
): Promise<void> {
  const delay = sql<number>`case
    when blocked_until - updated_at > ${sql.lit(delayMsMax)} then ${sql.lit(delayMsMax)}
    when blocked_until > updated_at then blocked_until - updated_at
    else 0
  end`
  await db
    .updateTable('signInAttempts')
    .set({ blockedUntil: sql<number>`cast(${now} as bigint) + ${delay}`, updatedAt: now })
    .where('subject', 'in', subjects)
    .where(({ or, eb }) => or([eb('updatedAt', '>', now), eb('blockedUntil', '>', now + delayMsMax)]))
    .execute()
}

/** Records a successful sign-in. Does not count an attempt. */
export async function recordSignInSuccess(db: Db, subject: string, now: number): Promise<void> {
  await db
    .insertInto('signInAttempts')
    .values({ subject, failures: 0, blockedUntil: 0, updatedAt: now })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ updatedAt: now }))
    .execute()
}

/** Whether a success was recorded since a given time. */
export async function hasSucceededSince(db: Db, subject: string, since: number): Promise<boolean> {
  const row = await db
    .selectFrom('signInAttempts')
    .select('updatedAt')
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row !== undefined && row.updatedAt >= since
}

/** Undoes the count of a successful attempt and its delay. */
export async function returnAttempt(db: Db, subject: string): Promise<void> {
  await db
    .updateTable('signInAttempts')
    .set({ failures: sql<number>`failures - 1`, blockedUntil: 0 })
    .where('subject', '=', subject)
    .where('failures', '>', 0)
    .execute()
}

/** Deletes all failures of a subject. */
export async function forgetAttempts(db: Db, subject: string): Promise<void> {
  await db.deleteFrom('signInAttempts').where('subject', '=', subject).execute()
}

/** Deletes failures and successes, each older than its own limit. */
export async function removeOldAttempts(
  db: Db,
  { failedBefore, succeededBefore }: { failedBefore: number; succeededBefore: number },
): Promise<void> {
  await db
    .deleteFrom('signInAttempts')
    .where(({ or, and, eb }) =>
      or([eb('updatedAt', '<', succeededBefore), and([eb('updatedAt', '<', failedBefore), eb('failures', '>', 0)])]),
    )
    .execute()
}
