import { AppError } from '../contract/app-error.ts'

type LifecycleState = 'starting' | 'serving' | 'leaving' | 'draining'

/**
 * State of the process between start and exit.
 *
 * `leaving` still accepts everything but tells load balancers to send nothing more. `starting` and `draining` refuse
 * new work with 503; answers running when draining begins may continue until `endStreams` is called.
 */
export class Lifecycle {
  #state: LifecycleState = 'starting'
  readonly #streams = new AbortController()
  readonly #draining = new AbortController()

  get state(): LifecycleState {
    return this.#state
  }

  /** Aborts when running answers must end now; the reason is a readable sentence. */
  get streamsEnd(): AbortSignal {
    return this.#streams.signal
  }

  /** Aborts when draining begins: for streams that never end on their own and lose nothing by ending. */
  get drainBegins(): AbortSignal {
    return this.#draining.signal
  }

  serve(): void {
    this.#state = 'serving'
  }

  leave(): void {
    this.#state = 'leaving'
  }

  drain(): void {
    this.#state = 'draining'
    this.#draining.abort()
  }

  endStreams(): void {
    this.#streams.abort(new AppError('draining', 'The server is stopping. Ask again in a moment.'))
  }

  /** @throws {AppError} `starting` or `draining` (503) if no new work is accepted. */
  requireServing(): void {
    if (this.#state === 'serving' || this.#state === 'leaving') return
    throw this.#state === 'starting'
      ? new AppError('starting', 'The server is starting. Try again in a moment.')
      : new AppError('draining', 'The server is stopping. Try again in a moment.')
  }
}
