import type { Clock } from '../base/clock.ts'
import { AppError } from '../contract/app-error.ts'

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
 * Each process counts for itself, and what it has counted is not written later: for as long as the database is away, a
 * limit lets through what was left of it, once for each process.
 */
export class OutageCounts {
  readonly #clock: Clock
  readonly #counts = new Map<string, Count>()

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
    return used + 1
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
