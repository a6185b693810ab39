import { type Kysely, sql } from 'kysely'
import type { Database } from './schema.ts'

export interface SignInAttempt {
  /** An account or a network, in a form that tells nobody which. */
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

/**
 * Counts an attempt as failed before anything is compared, and sets the delay that follows from it. `giveBackAttempt`
 * takes it back once it has succeeded, so that of a thousand attempts at once no more are let through than one by one.
 *
 * @returns How long to wait, in milliseconds; null when the attempt may be made.
 */
export async function takeSignInAttempt(db: Kysely<Database>, attempt: SignInAttempt): Promise<number | null> {
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
    .insertInto('sign_in_attempts')
    .values({ subject, failures: 1, blocked_until: freeFailures > 0 ? 0 : now + delayMs, updated_at: now })
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet({
          failures: sql<number>`case when ${isForgotten} then 1 else sign_in_attempts.failures + 1 end`,
          blocked_until: sql<number>`cast(${now} as bigint) + ${delay}`,
          updated_at: now,
        })
        .where('sign_in_attempts.blocked_until', '<=', now),
    )
    .returning('failures')
    .executeTakeFirst()
  if (taken !== undefined) return null
  const row = await db
    .selectFrom('sign_in_attempts')
    .select('blocked_until')
    .where('subject', '=', subject)
    .executeTakeFirst()
  return Math.max(1, (row?.blocked_until ?? now) - now)
}

/** Takes back the count of an attempt that has succeeded, and the delay that came with it. */
export async function giveBackAttempt(db: Kysely<Database>, subject: string): Promise<void> {
  await db
    .updateTable('sign_in_attempts')
    .set({ failures: sql<number>`failures - 1`, blocked_until: 0 })
    .where('subject', '=', subject)
    .where('failures', '>', 0)
    .execute()
}

/** Forgets every failure of a subject. */
export async function forgetAttempts(db: Kysely<Database>, subject: string): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('subject', '=', subject).execute()
}

/** Forgets what failed before a time. */
export async function removeOldAttempts(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('updated_at', '<', before).execute()
}
