/** A model failed in passing: the job is continued later. */
export class ModelAwayError extends Error {
  override readonly name = 'ModelAwayError'
  readonly retryAfterMs: number

  constructor(cause: Error, retryAfterMs: number) {
    super(cause.message, { cause })
    this.retryAfterMs = retryAfterMs
  }
}
