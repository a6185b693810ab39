import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import type { Database } from './schema.ts'
import type { Store } from './store.ts'

/** The database's own time within a statement, in milliseconds: the same for every replica. */
export function databaseTime(db: Kysely<Database>): RawBuilder<number> {
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
}

/** How often the difference is measured again: clocks drift, and that of the database may be set. */
const measureEveryMs = 30_000

/** Of several measurements the quickest is the most exact. */
const measurements = 3

/**
 * A clock that shows the database's time, so that leases, expiries and signs of life mean the same on every replica,
 * however wrong the clocks of their machines are, and whenever they are set.
 *
 * It is off by half of a round trip to the database at most, and by what the machine's counter drifts in 30 seconds.
 */
export class DatabaseClock implements Clock {
  readonly #store: Store
  readonly #elapsedMs: () => number
  #offsetMs = 0
  #timer: NodeJS.Timeout | null = null

  /** @param elapsedMs Milliseconds since any moment, never set back or forth, as `performance.now` has them. */
  constructor(store: Store, elapsedMs: () => number) {
    this.#store = store
    this.#elapsedMs = elapsedMs
  }

  now(): number {
    return Math.round(this.#elapsedMs() + this.#offsetMs)
  }

  /** Measures, and goes on measuring until `stop`. @throws {AppError} `database_unavailable`. */
  async start(): Promise<void> {
    await this.measure()
    // A measurement that fails leaves the one before.
    this.#timer ??= setInterval(() => void this.measure().catch(() => undefined), measureEveryMs).unref()
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  async measure(): Promise<void> {
    let best = Infinity
    let offsetMs = this.#offsetMs
    for (let count = 0; count < measurements; count++) {
      const before = this.#elapsedMs()
      const { rows } = await sql<{ now: number }>`select ${databaseTime(this.#store.relaxed)} as now`.execute(
        this.#store.relaxed,
      )
      const tookMs = this.#elapsedMs() - before
      const now = rows[0]?.now
      if (now === undefined || tookMs >= best) continue
      best = tookMs
      offsetMs = now - (before + tookMs / 2)
    }
    this.#offsetMs = offsetMs
  }
}
