import { HTTPException } from 'hono/http-exception'
import { AppError } from '../../contract/app-error.ts'
import type { ErrorCode } from '../../contract/error-codes.ts'
import type { ErrorBody } from '../../contract/error-body.ts'
import { toDatabaseError } from '../../store/database-error.ts'
import { type ErrorStatus, errorStatus } from './error-status.ts'

/** An error as sent to the client: status, extra headers, body. */
export interface ErrorReply {
  status: ErrorStatus
  headers: Readonly<Record<string, string>>
  body: ErrorBody
}

/** Public message for internal errors. The cause is logged under the request id. */
const internalMessage =
  'Something went wrong on our side. Try again; if it persists, give the request id to the owner of this server.'

/** What `Retry-After` says where nothing tells how long it takes. */
export const retryAfterSeconds = { starting: 2, unavailable: 5 } as const

/**
 * Turns anything thrown into a reply that leaks no secret: anything but an `AppError` is a bug and reveals only its
 * request id.
 */
export function toErrorReply(error: unknown, requestId: string): ErrorReply {
  const refusal = toAppError(error)
  const status = errorStatus[refusal.code]
  return {
    status,
    headers:
      status === 503 ? { 'Retry-After': String(retryAfterSeconds.unavailable), ...refusal.headers } : refusal.headers,
    body: {
      error: refusal.message,
      message: refusal.message,
      code: refusal.code,
      requestId,
      ...(status === 400 && refusal.details !== undefined ? { details: [...refusal.details] } : {}),
    },
  }
}

/** Whether to log the whole error: refusals explain themselves. */
export function isUnexpected(error: unknown): boolean {
  return toAppError(error).code === 'internal_error'
}

/** The error code sent to the client. */
export function readErrorCode(error: unknown): ErrorCode {
  return toAppError(error).code
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof HTTPException && error.status === 400) {
    return new AppError('invalid_json', 'The body is not valid JSON. Check its quotes, commas and brackets.')
  }
  if (error instanceof HTTPException && error.status === 415) return jsonExpected()
  const unavailable = toDatabaseError(error)
  if (unavailable instanceof AppError) return unavailable
  if (isUnstorableText(error)) {
    const message = 'The request contains the character U+0000, which cannot be stored. Remove it.'
    return new AppError('invalid_request', message, { cause: error })
  }
  return new AppError('internal_error', internalMessage, { cause: error })
}

export function jsonExpected(): AppError {
  const message = 'Send the body as JSON, with the header "Content-Type: application/json".'
  return new AppError('unsupported_media_type', message)
}

/** PostgreSQL text cannot contain a zero byte. */
function isUnstorableText(error: unknown): boolean {
  return /^(22021|22P05)$/.test(readCode(error))
}

function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
