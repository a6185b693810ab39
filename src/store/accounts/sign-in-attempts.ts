import { type Kysely, sql } from 'kysely'
import type { Database } from '../schema.ts'

export interface SignInAttempt {
  /** Whose failures are counted, in a form that tells nobody which account or network it is. */
  subject: string
  now: number
  /** Failures before the first delay. */
  freeFailures: number
  /** The first delay, in milliseconds. Each further failure doubles it. */
  delayMs: number
  /** The longest delay, in milliseconds. */
  delayMsMax: number
  /** Failures whose last was before this time are forgotten. */
  forgetBefore: number
}

/** Whether an attempt may be made, with the failures that are counted now, itself included, or else how long to wait. */
export type TakenAttempt = { isTaken: true; failures: number } | { isTaken: false; waitMs: number }

/**
 * Counts an attempt as failed before anything is compared, and sets the delay that follows from it. `giveBackAttempt`
 * takes it back once it has succeeded, so that of a thousand attempts at once no more are let through than one by one.
 */
export async function takeSignInAttempt(db: Kysely<Database>, attempt: SignInAttempt): Promise<TakenAttempt> {
  const { subject, now, freeFailures, delayMs, delayMsMax, forgetBefore } = attempt
  const isForgotten = sql<boolean>`sign_in_attempts.updated_at < ${forgetBefore}`
  const doublings = Math.ceil(Math.log2(delayMsMax / delayMs))
  // Of the failure that is counted now. `cast`, because a shift takes no wide integer on PostgreSQL.
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
 * Restarts delays that were set while the clock was ahead of `now`, so that a clock which was set back leaves nobody
 * waiting for the time that it had shown.
 *
 * @param delayMsMax No delay is longer from now on.
 */
export async function restartFutureDelays(
  db: Kysely<Database>,
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

/** Notes that a sign-in has succeeded. Counts nothing. */
export async function noteSuccess(db: Kysely<Database>, subject: string, now: number): Promise<void> {
  await db
    .insertInto('signInAttempts')
    .values({ subject, failures: 0, blockedUntil: 0, updatedAt: now })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ updatedAt: now }))
    .execute()
}

/** Whether a success was noted since a time. */
export async function hasSucceededSince(db: Kysely<Database>, subject: string, since: number): Promise<boolean> {
  const row = await db
    .selectFrom('signInAttempts')
    .select('updatedAt')
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row !== undefined && row.updatedAt >= since
}

/** Takes back the count of an attempt that has succeeded, and the delay that came with it. */
export async function giveBackAttempt(db: Kysely<Database>, subject: string): Promise<void> {
  await db
    .updateTable('signInAttempts')
    .set({ failures: sql<number>`failures - 1`, blockedUntil: 0 })
    .where('subject', '=', subject)
    .where('failures', '>', 0)
    .execute()
}

/** Forgets every failure of a subject. */
export async function forgetAttempts(db: Kysely<Database>, subject: string): Promise<void> {
  await db.deleteFrom('signInAttempts').where('subject', '=', subject).execute()
}

/** Forgets failures whose last was before one time, and successes from before another. */
export async function removeOldAttempts(
  db: Kysely<Database>,
  { failedBefore, succeededBefore }: { failedBefore: number; succeededBefore: number },
): Promise<void> {
  await db
    .deleteFrom('signInAttempts')
    .where(({ or, and, eb }) =>
      or([eb('updatedAt', '<', succeededBefore), and([eb('updatedAt', '<', failedBefore), eb('failures', '>', 0)])]),
    )
    .execute()
}
