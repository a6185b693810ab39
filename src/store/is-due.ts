import { type RawBuilder, sql, type SqlBool } from 'kysely'

const hourMs = 3_600_000

/** Longer than any lease: what ends later was written while the clock was ahead. */
export const leaseMsMax: number = hourMs

/** Longer than any wait between two tries of a queued row. */
export const queueWaitMsMax: number = 48 * hourMs

/**
 * Whether the time in a column has come, or lies further ahead than anything is ever put off, so that a clock which was
 * ahead and set back holds nothing up for the time that it had shown.
 *
 * @param now Milliseconds, or the database's own time.
 */
export function isDue(column: string, now: number | RawBuilder<number>, aheadMsMax: number): RawBuilder<SqlBool> {
  // Added here where that can be done: PostgreSQL takes a parameter beside a small literal for a small integer.
  const latest =
    typeof now === 'number' ? sql<number>`${now + aheadMsMax}` : sql<number>`${now} + ${sql.lit(aheadMsMax)}`
  return sql<SqlBool>`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${latest})`
}
