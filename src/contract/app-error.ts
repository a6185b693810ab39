import type { ErrorCode } from './error-codes.ts'

/** One invalid value in a request: its location, such as `messages.0.role`, and what is wrong with it. */
export interface ErrorDetail {
  path: string
  message: string
}

export interface AppErrorOptions {
  details?: readonly ErrorDetail[]
  /** Extra response headers, such as `Retry-After`. */
  headers?: Readonly<Record<string, string>>
  cause?: unknown
}

/**
 * A refusal that the caller can read and act on.
 *
 * The message is shown to people as is: a sentence that says what to do, free of secrets. Anything thrown that is not
 * an `AppError` is a bug and becomes `internal_error`.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly details: readonly ErrorDetail[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.details = options.details
    this.headers = options.headers ?? {}
  }
}

/** A request that nobody may make. The message says what to do instead. */
export function refusal(message: string): AppError {
  return new AppError('invalid_request', message)
}
