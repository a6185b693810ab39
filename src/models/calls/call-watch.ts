import type { Clock } from '../../base/clock.ts'

export interface WatchDeps {
  clock: Clock
  /** Resolves after the time, or as soon as the signal aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export interface WatchLimit {
  limitMs: number
  /** The message for the operator when it expires. */
  message: string
}

/** Nobody reads it; without a reason, each abort makes an error with its stack. */
const waitEnded = 'The wait has ended.'

/** A model call exceeded a time limit. */
export class ModelTimeoutError extends Error {
  override readonly name = 'ModelTimeoutError'
}

/**
 * Enforces the time limits of one call. One sleep spans many parts of a stream, because a timer per part would cost
 * more than the part.
 */
export class CallWatch {
  readonly #deps: WatchDeps
  readonly #endsAtMs: number
  readonly #controller = new AbortController()
  #limit: WatchLimit = { limitMs: Infinity, message: '' }
  #sinceMs = 0
  #sleeping = new AbortController()
  #isWaiting = true
  #isStopped = false

  /** @param endsAtMs The deadline of the whole call. */
  constructor(deps: WatchDeps, endsAtMs: number) {
    this.#deps = deps
    this.#endsAtMs = endsAtMs
  }

  /** Aborts with a `ModelTimeoutError` when a limit expires. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Replaces the limit and restarts its time. */
  expect(limit: WatchLimit): void {
    this.#limit = limit
    this.#sinceMs = this.#deps.clock.now()
    this.#isWaiting = true
    this.#sleeping.abort(waitEnded)
    this.#sleeping = new AbortController()
    void this.#watch(this.#sleeping.signal)
  }

  /** Restarts the clock: we are waiting for the model. */
  resume(): void {
    this.#isWaiting = true
    this.#sinceMs = this.#deps.clock.now()
  }

  /** Stops the clock, because a slow reader must not look like a silent model. */
  pause(): void {
    this.#isWaiting = false
  }

  stop(): void {
    this.#isStopped = true
    this.#sleeping.abort(waitEnded)
  }

  async #watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#isStopped) {
      const nowMs = this.#deps.clock.now()
      if (!this.#isWaiting) this.#sinceMs = nowMs
      const endsAtMs = Math.min(this.#sinceMs + this.#limit.limitMs, this.#endsAtMs)
      if (nowMs >= endsAtMs) {
        const isWhole = nowMs >= this.#endsAtMs
        this.#controller.abort(
          new ModelTimeoutError(isWhole ? 'The model took too long altogether.' : this.#limit.message),
        )
        return
      }
      await this.#deps.sleep(endsAtMs - nowMs, signal)
    }
  }
}
