import type { ModelCallError, ModelFault } from '../calls/model-call-error.ts'
import { backOffMs } from '../calls/retry-delay.ts'

const baseMs = 1_000
const backoffMsMax = 30_000
/** Nobody waits for these vectors, so that a long wait is waited for; beyond this the whole run is tried later. */
const retryAfterMsMax = 10 * 60_000
const retriesMax = 6

/** Faults that may be gone a moment later. */
const passing: ReadonlySet<ModelFault> = new Set(['rate-limit', 'overloaded', 'unreachable', 'broken', 'timeout'])

/**
 * How long all calls wait after one failed: exponential with jitter, never less than the provider asks.
 *
 * @param retry The number of this retry, from 0.
 * @param random In [0, 1).
 * @returns Null when a further call is of no use for now.
 */
export function embeddingRetryDelay(error: ModelCallError, retry: number, random: number): number | null {
  if (!passing.has(error.fault) || retry >= retriesMax) return null
  const backoffMs = backOffMs({ baseMs, maxMs: backoffMsMax }, retry, random)
  if (error.retryAfterMs === null) return backoffMs
  return error.retryAfterMs > retryAfterMsMax ? null : Math.max(backoffMs, error.retryAfterMs)
}
