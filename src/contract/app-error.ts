import type { ErrorCode } from './error-codes.ts'

/** One fault of a request: where it is, in the notation `messages.0.role`, and what is wrong there. */
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
 * A refusal: something that the caller may read and can do something about.
 *
 * The message is shown to people as it is, so it is a sentence that says what to do, and holds no secret.
 * Everything that is thrown and is not an `AppError` is a bug and becomes `internal_error`.
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
