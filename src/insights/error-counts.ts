import type { Clock } from '../base/clock.ts'
import { errorCodes, type ErrorCode } from '../contract/error-codes.ts'
import { addCounts, type CountedWindow } from '../store/counts/counters.ts'
import { listCounts } from '../store/counts/read-counters.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'

export interface ErrorCountsDeps {
  store: Store
  clock: Clock
  log: Log
}

export interface ErrorCount {
  code: ErrorCode
  /** Start of the UTC hour. */
  hourAt: number
  count: number
}

const hourMs = 3_600_000
/** Counts are flushed together at this interval; a killed process loses that much. */
const writeMs = 5_000
const namePrefix = 'error:'
/** Subject of errors that occurred before the organization was known. */
const installation = 'installation'
/** Enough for one code in every hour of the longest period. */
const rowsMax = 20_000
const subjectsMax = 2_000

/** Counts error responses by hour, code and organization, without a database statement per request. */
export class ErrorCounts {
  readonly #deps: ErrorCountsDeps
  #counts = new Map<string, CountedWindow>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(deps: ErrorCountsDeps) {
    this.#deps = deps
  }

  /** @param organizationId Null if the error occurred before it was known. */
  note(code: ErrorCode, organizationId: string | null): void {
    const windowStart = Math.floor(this.#deps.clock.now() / hourMs) * hourMs
    const subject = organizationId ?? installation
    const key = `${code} ${subject} ${windowStart}`
    const known = this.#counts.get(key)
    if (known !== undefined) known.count += 1
    else if (this.#counts.size < subjectsMax) {
      this.#counts.set(key, { name: `${namePrefix}${code}`, subject, windowStart, count: 1 })
    }
    this.#timer ??= this.#startTimer()
  }

  /**
   * Lists counts by hour and code, newest first. `withInstallation` includes errors that occurred before the
   * organization was known.
   */
  async list(request: { organizationId: string; withInstallation: boolean; since: number }): Promise<ErrorCount[]> {
    await this.flush()
    const { organizationId, withInstallation, since } = request
    const subjects = withInstallation ? [organizationId, installation] : [organizationId]
    const to = this.#deps.clock.now() + hourMs
    const rows = await listCounts(this.#deps.store.relaxed, { namePrefix, subjects, from: since, to, limit: rowsMax })
    return mergeCounts(rows)
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
    await addCounts(store.relaxed, counts).catch((error: unknown) => {
      log.warn({ error }, 'error-counts-not-written')
    })
  }

  #startTimer(): NodeJS.Timeout {
    const timer = setTimeout(() => void this.flush(), writeMs)
    timer.unref()
    return timer
  }
}

/** Skips the codes of other releases. */
function mergeCounts(rows: readonly CountedWindow[]): ErrorCount[] {
  const merged = new Map<string, ErrorCount>()
  for (const { name, windowStart, count } of rows) {
    const code = errorCodes.find((known) => name === `${namePrefix}${known}`)
    if (code === undefined) continue
    const key = `${windowStart} ${code}`
    const before = merged.get(key)
    if (before === undefined) merged.set(key, { code, hourAt: windowStart, count })
    else before.count += count
  }
  return [...merged.values()]
}
