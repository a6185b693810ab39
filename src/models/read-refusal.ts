import { AddressRefusedError } from '../base/address-book.ts'
import { RedirectRefusedError } from '../base/bind-to-origin.ts'

/**
 * What a call that failed before its reply began can have cost: nothing, its prompt, or no one knows how much.
 *
 * A provider charges nothing for what it refuses (400 to 499, but for 408, a wait that ended) and for what never reached it. One that failed itself
 * (500 to 599) may have read the prompt. A connection that was lost, or a wait that ended, tells nothing: the model may
 * have answered.
 */
export type RefusalCost = 'free' | 'prompt' | 'unknown'

/** No connection was made. Those that broke later have other codes. */
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
