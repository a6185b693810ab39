import type { ModelCallError, ModelFault } from './model-call-error.ts'

/** Faults that may be gone a moment later. */
const transient: readonly ModelFault[] = ['rate-limit', 'overloaded', 'unreachable', 'broken']

/** For answers. No timeouts: the reader has waited long enough. */
const answering = {
  faults: new Set(transient),
  baseMs: 500,
  backoffMsMax: 8_000,
  /** A reader is waiting: fail rather than wait longer. */
  retryAfterMsMax: 20_000,
}

/** For the vectors of pages, which nobody waits for. */
const indexing = {
  faults: new Set<ModelFault>([...transient, 'timeout']),
  baseMs: 1_000,
  backoffMsMax: 30_000,
  /** Beyond this the whole run is retried later. */
  retryAfterMsMax: 10 * 60_000,
  retriesMax: 6,
}

/**
 * How long to wait before the same model is called again; never less than the provider asks.
 *
 * @param retry The number of this retry, from 0.
 * @param random In [0, 1).
 * @returns Null when another call is pointless, or would be too late for a reader.
 */
export function retryDelay(error: ModelCallError, retry: number, random: number): number | null {
  const { faults, baseMs, retryAfterMsMax } = answering
  if (!faults.has(error.fault)) return null
  if (error.retryAfterMs === null) return backOffMs(answering, retry, random)
  return error.retryAfterMs > retryAfterMsMax ? null : error.retryAfterMs + Math.round(random * baseMs)
}

/**
 * How long all calls for vectors wait after one failed; never less than the provider asks.
 *
 * @param retry The number of this retry, from 0.
 * @param random In [0, 1).
 * @returns Null when another call is pointless for now.
 */
export function embeddingRetryDelay(error: ModelCallError, retry: number, random: number): number | null {
  const { faults, retriesMax, retryAfterMsMax } = indexing
  const { fault, retryAfterMs } = error
  if (!faults.has(fault) || retry >= retriesMax || (retryAfterMs ?? 0) > retryAfterMsMax) return null
  return Math.max(backOffMs(indexing, retry, random), retryAfterMs ?? 0)
}

/**
 * Exponential, with jitter, so that the callers of an outage do not come back as one: between a half and all of
 * `baseMs * 2 ** retry`, which grows up to `backoffMsMax`.
 */
function backOffMs(
  { baseMs, backoffMsMax }: { baseMs: number; backoffMsMax: number },
  retry: number,
  random: number,
): number {
  return Math.round(Math.min(backoffMsMax, baseMs * 2 ** retry) * (0.5 + random / 2))
}
