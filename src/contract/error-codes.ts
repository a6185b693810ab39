/**
 * Every code that an error body may carry. Codes are part of the contract: clients branch on them, so a code is never
 * renamed. The HTTP status of each is chosen once, in `server/error-status.ts`, which does not compile without it.
 */
export const errorCodes = [
  'body_too_large',
  'conflict',
  'database_unavailable',
  'draining',
  'form_expired',
  'internal_error',
  'invalid_json',
  'invalid_request',
  'ip_not_allowed',
  'job_active',
  'job_archived',
  'job_not_found',
  'key_expired',
  'key_invalid',
  'key_missing',
  'key_revoked',
  'limit_reached',
  'merge_conflict',
  'message_not_found',
  'method_not_allowed',
  'no_repository',
  'not_found',
  'origin_not_allowed',
  'page_not_found',
  'pull_request_not_found',
  'reader_identity_invalid',
  'repository_not_found',
  'scope_missing',
  'session_missing',
  'site_not_found',
  'site_not_ready',
  'starting',
  'thread_not_found',
  'unsupported_media_type',
  'wrong_key_kind',
] as const

export type ErrorCode = (typeof errorCodes)[number]
