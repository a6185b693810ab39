import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { hourMs } from '../base/durations.ts'

/** Longer than any lease; a later expiry was written by a clock that ran ahead. */
export const leaseMsMax: number = hourMs

/** Longer than any backoff of a queued row. */
export const queueWaitMsMax: number = 48 * hourMs

/**
 * Whether a column's time has passed, or lies further ahead than anything is ever postponed: a row written while the
 * clock ran ahead must not be held up after the clock is corrected.
 *
 * @param now Milliseconds, or the database's own time.
 */
export function isDue(column: string, now: number | RawBuilder<number>, aheadMsMax: number): RawBuilder<SqlBool> {
  // Adds in JavaScript if possible: next to a small literal, PostgreSQL types a parameter as a small integer.
  const latest =
    typeof now === 'number' ? sql<number>`${now + aheadMsMax}` : sql<number>`${now} + ${sql.lit(aheadMsMax)}`
  return sql<SqlBool>`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${latest})`
}
