import { AppError } from '../../contract/app-error.ts'
import type { ErrorCode } from '../../contract/error-codes.ts'

export type ForgeErrorReason =
  /** The credential is wrong, has expired or was withdrawn. */
  | 'unauthorized'
  /** The credential lacks a permission, or a rule of the repository forbids it. */
  | 'forbidden'
  | 'not-found'
  /** The repository has changed meanwhile. */
  | 'conflict'
  /** The host does not take what was sent. */
  | 'invalid'
  | 'rate-limited'
  /** The host does not answer, or answers with a fault of its own. */
  | 'unavailable'

/**
 * No reason becomes `invalid_request`: for callers that stands for a branch or commit that is not there, which is no
 * failure where one is looked for.
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
  /** How long the host asks to wait; null when it does not say. */
  retryAfterMs?: number | null
  cause?: unknown
}

/** A forge refused, or could not be asked. The message says what the owner of the repository is to do. */
export class ForgeError extends AppError {
  readonly reason: ForgeErrorReason
  readonly retryAfterMs: number | null

  constructor(reason: ForgeErrorReason, message: string, { retryAfterMs = null, cause }: ForgeErrorOptions = {}) {
    const headers = retryAfterMs === null ? {} : { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) }
    super(codes[reason], message, { headers, cause })
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }

  /** Whether the same call may work later without anybody having changed anything. */
  get isPassing(): boolean {
    return this.reason === 'rate-limited' || this.reason === 'unavailable'
  }
}

/** Whether an error is a forge's refusal for one of these reasons. */
export function hasReason(error: unknown, ...reasons: readonly ForgeErrorReason[]): error is ForgeError {
  return error instanceof ForgeError && reasons.includes(error.reason)
}

/** Whether a host refused, and would refuse again. */
export function isLastingRefusal(error: unknown): error is AppError {
  return error instanceof AppError && !(error instanceof ForgeError && error.isPassing)
}

/** A request that the host could not carry out, whoever sent it. */
export function refuse(message: string): AppError {
  return new AppError('invalid_request', message)
}
