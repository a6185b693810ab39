import { PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import type { Db } from './schema.ts'
import type { Store } from './store.ts'

/** The database's own time within a statement, in milliseconds: the same for every replica. */
export function databaseTime(db: Db): RawBuilder<number> {
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
}

/** Interval between measurements: clocks drift, and the database's may be reset. */
const measureEveryMs = 30_000

/** The quickest of several measurements is the most accurate. */
const measurements = 3

/**
 * A clock that follows the database's time, so that leases, expiries and heartbeats agree on all replicas, however
 * wrong their machines' clocks are.
 *
 * Off by at most half a round trip to the database plus the drift of the machine's counter in 30 seconds.
 */
export class DatabaseClock implements Clock {
  readonly #store: Store
  readonly #elapsedMs: () => number
  #offsetMs = 0
  #timer: NodeJS.Timeout | null = null

  /** @param elapsedMs Monotonic milliseconds from any origin, like `performance.now`. */
  constructor(store: Store, elapsedMs: () => number) {
    this.#store = store
    this.#elapsedMs = elapsedMs
  }

  now(): number {
    return Math.round(this.#elapsedMs() + this.#offsetMs)
  }

  /** Measures once, then periodically until `stop`. @throws {AppError} `database_unavailable`. */
  async start(): Promise<void> {
    await this.measure()
    // A failed measurement keeps the previous offset.
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
