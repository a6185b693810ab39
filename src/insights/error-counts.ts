import { errorCodes, type ErrorCode } from '../contract/error-codes.ts'
import { CountBuffer } from '../store/counts/count-buffer.ts'
import type { CountedWindow } from '../store/counts/counters.ts'
import { listCounts } from '../store/counts/read-counters.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import type { Log } from '../telemetry/log.ts'
import { hourMs } from '../base/durations.ts'

export interface ErrorCountsDeps extends StoreDeps {
  log: Log
}

export interface ErrorCount {
  code: ErrorCode
  /** Start of the UTC hour. */
  hourAt: number
  count: number
}

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
  readonly #counts: CountBuffer

  constructor(deps: ErrorCountsDeps) {
    this.#deps = deps
    this.#counts = new CountBuffer(deps, { writeMs, countsMax: subjectsMax })
  }

  /** @param organizationId Null if the error occurred before it was known. */
  note(code: ErrorCode, organizationId: string | null): void {
    const windowStart = Math.floor(this.#deps.clock.now() / hourMs) * hourMs
    this.#counts.add(`${namePrefix}${code}`, organizationId ?? installation, windowStart)
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

  flush(): Promise<void> {
    return this.#counts.flush()
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
