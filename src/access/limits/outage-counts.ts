import { AppError } from '../../contract/app-error.ts'
import type { CountedWindow, LimitTake, TakeResult } from '../../store/counts/counters.ts'

/** How often a subject has used a limit in one window. */
interface Count {
  windowStart: number
  used: number
}

/** Bounds memory when there are many addresses. */
const subjectsMax = 50_000

/**
 * Caches the counts that the database last returned, to refuse requests early and to keep counting requests that are
 * served without it.
 *
 * Each process counts separately: during an outage, every process allows what the limit had left when that process last
 * saw the database. Its counts are added to the database afterwards, so that the excess is then held against the limit.
 */
export class OutageCounts {
  readonly #counts = new Map<string, Count>()
  /** Allowed uses that the database does not have yet, by limit, subject and window. */
  readonly #unwritten = new Map<string, CountedWindow>()
  #settling: Promise<void> | null = null

  /**
   * Records a count from the database. A count never decreases within its window, even if replies arrive out of order.
   */
  note(name: string, subject: string, { windowStart, used }: Count): void {
    const key = `${name}\u0000${subject}`
    const known = this.find({ name, subject, windowStart })
    // Move to the end, so that the first entry is the least recently used.
    this.#counts.delete(key)
    this.#counts.set(key, { windowStart, used: Math.max(known, used) })
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > subjectsMax && oldest !== undefined) this.#counts.delete(oldest)
  }

  /** Lower bound of a subject's count in a window. */
  find({ name, subject, windowStart }: Pick<LimitTake, 'name' | 'subject' | 'windowStart'>): number {
    const known = this.#counts.get(`${name}\u0000${subject}`)
    return known?.windowStart === windowStart ? known.used : 0
  }

  /** Drops the counts after a refund; the next database reply restores them. */
  forget(takes: readonly LimitTake[]): void {
    for (const { name, subject } of takes) this.#counts.delete(`${name}\u0000${subject}`)
  }

  /** Counts one use against every limit, or against none if one is exhausted. */
  take(takes: readonly LimitTake[]): TakeResult {
    const counts = takes.map((take) => this.find(take))
    const refusedBy = takes.findIndex(({ max }, index) => (counts[index] ?? 0) >= max)
    if (refusedBy >= 0) return { taken: false, refusedBy, counts }
    for (const { name, subject, windowStart } of takes) {
      this.note(name, subject, { windowStart, used: this.find({ name, subject, windowStart }) + 1 })
      this.#add({ name, subject, windowStart, count: 1 })
    }
    return { taken: true, counts: counts.map((count) => count + 1) }
  }

  /**
   * Adds the counts made during an outage to the database. Concurrent callers wait for the same write before they check
   * limits.
   *
   * @param write Writes all of them or throws; after a throw, the next call retries.
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
      // If only the reply was lost, these are counted twice, which errs on the safe side.
      for (const counted of counts) this.#add(counted)
      throw error
    }
  }

  #add(counted: CountedWindow): void {
    const key = JSON.stringify([counted.name, counted.subject, counted.windowStart])
    const count = (this.#unwritten.get(key)?.count ?? 0) + counted.count
    if (count > counted.count || this.#unwritten.size < subjectsMax) this.#unwritten.set(key, { ...counted, count })
  }
}

/** Whether the database was unreachable. */
export function isOutage(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'database_unavailable'
}
