import { AppError } from '../../contract/app-error.ts'
import type { ErrorCode } from '../../contract/error-codes.ts'

export type ForgeErrorReason =
  /** The credential is wrong, expired or revoked. */
  | 'unauthorized'
  /** The credential lacks a permission, or a rule of the repository forbids it. */
  | 'forbidden'
  | 'not-found'
  /** The repository has changed in the meantime. */
  | 'conflict'
  /** The host rejects the request's content. */
  | 'invalid'
  | 'rate-limited'
  /** The host does not answer, or fails on its side. */
  | 'unavailable'

/**
 * No reason maps to `invalid_request`: callers take that for a missing branch or commit, which is not a failure in a
 * lookup.
 */
const codes = {
  unauthorized: 'code_host_refused',
  forbidden: 'code_host_refused',
  'not-found': 'code_host_refused',
  conflict: 'conflict',
  invalid: 'code_host_refused',
  'rate-limited': 'code_host_unavailable',
  unavailable: 'code_host_unavailable',
} as const satisfies Record<ForgeErrorReason, ErrorCode>

export interface ForgeErrorOptions {
  /** Wait requested by the host; null if it names none. */
  retryAfterMs?: number | null
  cause?: unknown
}

/** A forge refused or could not be reached. The message tells the repository's owner what to do. */
export class ForgeError extends AppError {
  readonly reason: ForgeErrorReason
  readonly retryAfterMs: number | null

  constructor(reason: ForgeErrorReason, message: string, { retryAfterMs = null, cause }: ForgeErrorOptions = {}) {
    const headers = retryAfterMs === null ? {} : { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) }
    super(codes[reason], message, { headers, cause })
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }

  /** Whether the same call may succeed later without any change. */
  get isPassing(): boolean {
    return this.reason === 'rate-limited' || this.reason === 'unavailable'
  }
}

/** Whether an error is a forge's refusal for one of these reasons. */
export function hasReason(error: unknown, ...reasons: readonly ForgeErrorReason[]): error is ForgeError {
  return error instanceof ForgeError && reasons.includes(error.reason)
}

/** Whether a host refused and would do so again. */
export function isLastingRefusal(error: unknown): error is AppError {
  return error instanceof AppError && !(error instanceof ForgeError && error.isPassing)
}
