import type { ErrorCode } from '../contract/error-codes.ts'

/** The HTTP status of every error code. A code without a status does not compile. */
export const errorStatus = {
  invalid_json: 400,
  invalid_request: 400,
  key_expired: 401,
  key_invalid: 401,
  key_missing: 401,
  key_revoked: 401,
  reader_identity_invalid: 401,
  ip_not_allowed: 403,
  origin_not_allowed: 403,
  scope_missing: 403,
  wrong_key_kind: 403,
  message_not_found: 404,
  not_found: 404,
  page_not_found: 404,
  site_not_found: 404,
  thread_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  limit_reached: 429,
  internal_error: 500,
  database_unavailable: 503,
  draining: 503,
  site_not_ready: 503,
  starting: 503,
} as const satisfies Record<ErrorCode, number>

export type ErrorStatus = (typeof errorStatus)[ErrorCode]
