import type { Log } from '../../telemetry/log.ts'
import type { Store } from '../store.ts'
import { addCounts, type CountedWindow } from './counters.ts'

export interface CountBufferOptions {
  /** Counts are written together at this interval; a killed process loses that much. */
  writeMs: number
  /** Most different counts between two writes; further ones are dropped. */
  countsMax: number
  onWrite?(): Promise<void>
}

/** Adds counts up in memory, so that a request costs no database statement. */
export class CountBuffer {
  readonly #deps: { store: Store; log: Log }
  readonly #options: CountBufferOptions
  #counts = new Map<string, CountedWindow>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(deps: { store: Store; log: Log }, options: CountBufferOptions) {
    this.#deps = deps
    this.#options = options
  }

  add(name: string, subject: string, windowStart: number): void {
    const key = `${name} ${subject} ${windowStart}`
    const known = this.#counts.get(key)
    if (known !== undefined) known.count += 1
    else if (this.#counts.size < this.#options.countsMax)
      this.#counts.set(key, { name, subject, windowStart, count: 1 })
    this.#timer ??= setTimeout(() => void this.flush(), this.#options.writeMs).unref()
  }

  /** Writes the pending counts. Never rejects: on failure they are lost and logged. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    const counts = [...this.#counts.values()]
    if (counts.length === 0) return
    this.#counts = new Map()
    const { store, log } = this.#deps
    try {
      await addCounts(store.relaxed, counts)
      await this.#options.onWrite?.()
    } catch (error) {
      log.warn({ error }, 'counts-not-written')
    }
  }
}
