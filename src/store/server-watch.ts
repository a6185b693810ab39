import { AppError } from '../contract/app-error.ts'

export interface ServerWatchOptions {
  /** Pings the server on a separate connection. Rejects if there is no reply within some seconds. */
  probe: () => Promise<void>
  /** Called when the server is lost and when it is back. */
  onChange?: (isLost: boolean) => void
  /** How long a call may go without a reply before the server is probed. */
  suspectMs?: number
  /** Interval between checks for overdue calls. */
  tickMs?: number
}

const suspectMsDefault = 1_000
const tickMsDefault = 500

/** A single failed probe may be due to a busy moment in this process. */
const failuresMax = 2

interface Call {
  sinceMs: number
  refuse: (error: AppError) => void
}

/**
 * Tells a slow statement from a dead server: when a call gets no reply for a while, the server is probed. If the probes
 * fail, all waiting calls are refused, and later ones immediately, until the server answers again. So a cut cable or a
 * stuck server costs requests seconds, and does not pile up memory or block other requests.
 */
export class ServerWatch {
  readonly #options: Required<Omit<ServerWatchOptions, 'onChange'>> & Pick<ServerWatchOptions, 'onChange'>
  readonly #calls = new Set<Call>()
  #timer: NodeJS.Timeout | null = null
  #isProbing = false
  #failures = 0
  #losses = 0

  constructor(options: ServerWatchOptions) {
    this.#options = { suspectMs: suspectMsDefault, tickMs: tickMsDefault, ...options }
  }

  get isLost(): boolean {
    return this.#failures >= failuresMax
  }

  /** How often the server was lost. Connections older than the newest loss may be silently dead. */
  get losses(): number {
    return this.#losses
  }

  /** @throws {AppError} `database_unavailable` when the server does not answer. The call itself is not cancelled. */
  run<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.isLost) return Promise.reject(serverLost())
    return new Promise((resolve, reject) => {
      const entry: Call = { sinceMs: performance.now(), refuse: reject }
      const settle = () => this.#calls.delete(entry)
      this.#calls.add(entry)
      this.#timer ??= setInterval(() => this.#tick(), this.#options.tickMs).unref()
      call().then(
        (result) => (settle(), resolve(result)),
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- it is passed on as it came
        (error: unknown) => (settle(), reject(error)),
      )
    })
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  #tick(): void {
    const [oldest] = this.#calls
    if (oldest === undefined && !this.isLost) return this.close()
    const isSuspect = oldest !== undefined && performance.now() - oldest.sinceMs >= this.#options.suspectMs
    if (isSuspect || this.isLost) void this.#probe()
  }

  async #probe(): Promise<void> {
    if (this.#isProbing) return
    this.#isProbing = true
    const wasLost = this.isLost
    this.#failures = await this.#options.probe().then(
      () => 0,
      () => this.#failures + 1,
    )
    this.#isProbing = false
    // The server answers, so the waiting calls are merely slow; check them again later.
    for (const call of this.#calls) call.sinceMs = performance.now()
    if (wasLost === this.isLost) return this.#suspectAgain()
    if (this.isLost) this.#lose()
    this.#options.onChange?.(this.isLost)
  }

  /** Follows a first failed probe with a second one immediately. */
  #suspectAgain(): void {
    if (this.#failures === 0 || this.isLost) return
    for (const call of this.#calls) call.sinceMs = -Infinity
  }

  #lose(): void {
    this.#losses += 1
    for (const call of this.#calls) call.refuse(serverLost())
    this.#calls.clear()
  }
}

function serverLost(): AppError {
  return new AppError('database_unavailable', 'The database does not answer right now. Try again in a few seconds.')
}
