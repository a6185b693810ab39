import { AppError } from '../contract/app-error.ts'

export interface ConcurrencyGateOptions {
  /** How many run at once. */
  runningMax: number
  /** How many wait for them; one more is refused. */
  waitingMax: number
}

/** Lets a few run at once, in the order of their coming, so that a flood of costly requests does not start a flood of processes. */
export class ConcurrencyGate {
  readonly #options: ConcurrencyGateOptions
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(options: ConcurrencyGateOptions) {
    this.#options = options
  }

  /** @throws {AppError} `limit_reached` when too many wait already. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#options.runningMax) {
      this.#running++
      return
    }
    if (this.#waiting.length >= this.#options.waitingMax) {
      const headers = { 'Retry-After': '5' }
      throw new AppError('limit_reached', 'Too many look at this at the moment. Try again in some seconds.', {
        headers,
      })
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** The place goes to who waits longest, so that the count stays. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#running--
    else next()
  }
}
