import type { Clock } from '../base/clock.ts'
import { AppError } from '../contract/app-error.ts'
import type { CountedWindow } from '../store/counters.ts'

/** A subject of a limit and how often it has been used, in one window. */
interface Count {
  windowStart: number
  used: number
}

/** Bounds the memory that many addresses can take. */
const subjectsMax = 50_000

/**
 * Goes on counting where the database stood when it last answered, for what is served without it.
 *
 * Each process counts for itself: for as long as the database is away, a limit lets through what was left of it when the
 * process looked last, once for each process. What was counted is added to the database when it is back, so that no more
 * is let through then.
 */
export class OutageCounts {
  readonly #clock: Clock
  readonly #counts = new Map<string, Count>()
  /** What was let through and is not in the database, by limit, subject and window. */
  readonly #unwritten = new Map<string, CountedWindow>()
  #settling: Promise<void> | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Notes where a subject stands by the database. */
  note(name: string, subject: string, count: Count): void {
    if (this.#counts.size >= subjectsMax) this.#removeOld()
    this.#counts.set(`${name}\u0000${subject}`, count)
  }

  /** Counts one use. @returns How often it was used with this one; null when the limit is used up. */
  take(name: string, subject: string, { windowStart, max }: { windowStart: number; max: number }): number | null {
    const known = this.#counts.get(`${name}\u0000${subject}`)
    const used = known?.windowStart === windowStart ? known.used : 0
    if (used >= max) return null
    this.note(name, subject, { windowStart, used: used + 1 })
    this.#add({ name, subject, windowStart, count: 1 })
    return used + 1
  }

  /**
   * Adds to the database what was counted without it. Whoever asks meanwhile waits for it, and looks at limits only then.
   *
   * @param write Writes all of them or throws; what was thrown is tried again by the next call.
   */
  settle(write: (counts: readonly CountedWindow[]) => Promise<void>): Promise<void> {
    if (this.#settling === null && this.#unwritten.size > 0) {
      this.#settling = this.#writeAll(write).finally(() => {
        this.#settling = null
      })
    }
    return this.#settling ?? Promise.resolve()
  }

  async #writeAll(write: (counts: readonly CountedWindow[]) => Promise<void>): Promise<void> {
    const counts = [...this.#unwritten.values()]
    this.#unwritten.clear()
    try {
      await write(counts)
    } catch (error) {
      // Where its answer got lost, they are counted twice, which errs on the safe side.
      for (const counted of counts) this.#add(counted)
      throw error
    }
  }

  #add(counted: CountedWindow): void {
    const key = JSON.stringify([counted.name, counted.subject, counted.windowStart])
    const count = (this.#unwritten.get(key)?.count ?? 0) + counted.count
    if (count > counted.count || this.#unwritten.size < subjectsMax) this.#unwritten.set(key, { ...counted, count })
  }

  #removeOld(): void {
    const hourAgo = this.#clock.now() - 3_600_000
    for (const [name, { windowStart }] of this.#counts) if (windowStart < hourAgo) this.#counts.delete(name)
    if (this.#counts.size >= subjectsMax) this.#counts.clear()
  }
}

/** Whether the database did not answer. */
export function isOutage(error: unknown): boolean {
  return error instanceof AppError && error.code === 'database_unavailable'
}
