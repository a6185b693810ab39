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
  /** The beginning of the UTC hour. */
  hourAt: number
  count: number
}

const hourMs = 3_600_000
/** Counts are written together after this time; a process that is killed loses as much. */
const writeMs = 5_000
const namePrefix = 'error:'
/** Whom errors are counted for that came before anybody knew which organization asked. */
const installation = 'installation'
/** Codes and hours of the longest period: a code that is counted in every hour of it. */
const rowsMax = 20_000
const subjectsMax = 2_000

/** Counts the errors that are answered, by hour, code and organization. Costs a request no statement. */
export class ErrorCounts {
  readonly #deps: ErrorCountsDeps
  #counts = new Map<string, CountedWindow>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(deps: ErrorCountsDeps) {
    this.#deps = deps
  }

  /** @param organizationId Null where the error came before it was known. */
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
   * By hour and code, newest first.
   *
   * @param organizationId Whose; with `withInstallation` also those of requests that nobody could be told from.
   */
  async list(request: { organizationId: string; withInstallation: boolean; since: number }): Promise<ErrorCount[]> {
    await this.flush()
    const { organizationId, withInstallation, since } = request
    const subjects = withInstallation ? [organizationId, installation] : [organizationId]
    const to = this.#deps.clock.now() + hourMs
    const rows = await listCounts(this.#deps.store.relaxed, { namePrefix, subjects, from: since, to, limit: rowsMax })
    return mergeCounts(rows)
  }

  /** Writes what is counted so far. Never rejects: what cannot be written is lost, and the log says so. */
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

/** Codes of other releases are left out. */
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
