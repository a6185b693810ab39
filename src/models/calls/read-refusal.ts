import { AddressRefusedError } from '../../base/address-book.ts'
import { RedirectRefusedError } from '../../base/bind-to-origin.ts'

/**
 * The possible cost of a call that failed before its reply began: nothing, its prompt, or unknown.
 *
 * A provider charges nothing for calls it refuses (400 to 499, except 408, a timeout) or never receives. A server error
 * (500 to 599) may have read the prompt. After a lost connection or a timeout the cost is unknown: the model may have
 * answered.
 */
export type RefusalCost = 'free' | 'prompt' | 'unknown'

/** No connection was made. Connections that broke later have other codes. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
const causesMax = 5

function readStatus(statusCode: number): RefusalCost {
  if (statusCode === 408) return 'unknown'
  return statusCode < 500 ? 'free' : 'prompt'
}

/** @param error What a provider package threw. */
export function readRefusal(error: unknown): RefusalCost {
  let cause: unknown = error
  for (let depth = 0; depth < causesMax && typeof cause === 'object' && cause !== null; depth++) {
    if (cause instanceof AddressRefusedError || cause instanceof RedirectRefusedError) return 'free'
    const { statusCode, code } = cause as { statusCode?: unknown; code?: unknown } // Both are checked before use.
    if (typeof statusCode === 'number' && statusCode >= 400) return readStatus(statusCode)
    if (typeof code === 'string' && neverConnected.has(code)) return 'free'
    cause = 'cause' in cause ? cause.cause : null
  }
  return 'unknown'
}
