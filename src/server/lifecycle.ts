import { AppError } from '../contract/app-error.ts'

/**
 * Where the process stands between its start and its end.
 *
 * `starting` and `draining` refuse new work with 503; answers that run when draining begins may go on until `endStreams`
 * is called.
 */
export class Lifecycle {
  #state: 'starting' | 'serving' | 'draining' = 'starting'
  readonly #streams = new AbortController()

  get state(): 'starting' | 'serving' | 'draining' {
    return this.#state
  }

  /** Aborts when running answers must end now, with a sentence. */
  get streamsEnd(): AbortSignal {
    return this.#streams.signal
  }

  serve(): void {
    this.#state = 'serving'
  }

  drain(): void {
    this.#state = 'draining'
  }

  endStreams(): void {
    this.#streams.abort(new AppError('draining', 'The server is stopping. Ask again in a moment.'))
  }

  /** @throws {AppError} `starting` or `draining` (503) when no new work is taken. */
  requireServing(): void {
    if (this.#state === 'serving') return
    throw this.#state === 'starting'
      ? new AppError('starting', 'The server is starting. Try again in a moment.')
      : new AppError('draining', 'The server is stopping. Try again in a moment.')
  }
}
