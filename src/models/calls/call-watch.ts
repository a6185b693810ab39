import type { Clock } from '../../base/clock.ts'

export interface WatchDeps {
  clock: Clock
  /** Resolves after the time, or as soon as the signal aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export interface WatchLimit {
  limitMs: number
  /** What to tell the operator when it is over. */
  message: string
}

/** A time limit of a call of a model was over. */
export class ModelTimeoutError extends Error {
  override readonly name = 'ModelTimeoutError'
}

/**
 * Watches the time limits of one call. One sleep goes on over many parts of a stream, because a timer for each part
 * would cost more than the part.
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

  /** @param endsAtMs When the whole call is over, whatever it does. */
  constructor(deps: WatchDeps, endsAtMs: number) {
    this.#deps = deps
    this.#endsAtMs = endsAtMs
  }

  /** Aborts when a limit is over, with a `ModelTimeoutError`. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Watches another limit from now on. */
  expect(limit: WatchLimit): void {
    this.#limit = limit
    this.#sinceMs = this.#deps.clock.now()
    this.#isWaiting = true
    this.#sleeping.abort()
    this.#sleeping = new AbortController()
    void this.#watch(this.#sleeping.signal)
  }

  /** The model is waited for from now on. */
  resume(): void {
    this.#isWaiting = true
    this.#sinceMs = this.#deps.clock.now()
  }

  /** The model did its part: what a slow reader takes is not its silence. */
  pause(): void {
    this.#isWaiting = false
  }

  stop(): void {
    this.#isStopped = true
    this.#sleeping.abort()
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
