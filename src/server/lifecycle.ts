import { AppError } from '../contract/app-error.ts'

type LifecycleState = 'starting' | 'serving' | 'leaving' | 'draining'

/**
 * Where the process stands between its start and its end.
 *
 * `leaving` still takes everything, and tells balancers to send nothing more. `starting` and `draining` refuse new work with 503; answers that run when draining begins may go on until `endStreams`
 * is called.
 */
export class Lifecycle {
  #state: LifecycleState = 'starting'
  readonly #streams = new AbortController()
  readonly #draining = new AbortController()

  get state(): LifecycleState {
    return this.#state
  }

  /** Aborts when running answers must end now, with a sentence. */
  get streamsEnd(): AbortSignal {
    return this.#streams.signal
  }

  /** Aborts when draining begins: for streams that end at no time by themselves and lose nothing by it. */
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

  /** @throws {AppError} `starting` or `draining` (503) when no new work is taken. */
  requireServing(): void {
    if (this.#state === 'serving' || this.#state === 'leaving') return
    throw this.#state === 'starting'
      ? new AppError('starting', 'The server is starting. Try again in a moment.')
      : new AppError('draining', 'The server is stopping. Try again in a moment.')
  }
}
