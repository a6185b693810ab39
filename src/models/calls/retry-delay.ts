import type { ModelCallError, ModelFault } from './model-call-error.ts'

/** Faults that may be gone a moment later. */
const transient: readonly ModelFault[] = ['rate-limit', 'overloaded', 'unreachable', 'broken']

/** For answers. Excludes timeouts: the reader has waited long enough. */
const answering = {
  faults: new Set(transient),
  baseMs: 500,
  backoffMsMax: 8_000,
  /** A reader is waiting: fail rather than wait longer. */
  retryAfterMsMax: 20_000,
}

/** For the agent, whose owner does not wait at a keyboard. */
const working = {
  faults: new Set<ModelFault>([...transient, 'timeout']),
  baseMs: 2_000,
  backoffMsMax: 60_000,
  retryAfterMsMax: 5 * 60_000,
}

/** Whether a reader waits for the reply. */
export type Patience = 'answering' | 'working'

const patiences = { answering, working }

/** Whether the same call may succeed some minutes later. */
export function isPassingFault(fault: ModelFault): boolean {
  return working.faults.has(fault)
}

/** For embedding pages, which no one waits for. */
const indexing = {
  faults: new Set<ModelFault>([...transient, 'timeout']),
  baseMs: 1_000,
  backoffMsMax: 30_000,
  /** Beyond this the whole run is retried later. */
  retryAfterMsMax: 10 * 60_000,
  retriesMax: 6,
}

/**
 * Delay before the same model is called again; never less than the provider asks for.
 *
 * @param retry The number of this retry, from 0.
 * @param random In [0, 1).
 * @returns Null if another call is pointless, or would be too late.
 */
export function retryDelay(
  error: ModelCallError,
  retry: number,
  random: number,
  patience: Patience = 'answering',
): number | null {
  const { faults, baseMs, retryAfterMsMax } = patiences[patience]
  if (!faults.has(error.fault)) return null
  if (error.retryAfterMs === null) return backOffMs(patiences[patience], retry, random)
  return error.retryAfterMs > retryAfterMsMax ? null : error.retryAfterMs + Math.round(random * baseMs)
}

/**
 * How long all embedding calls pause after one failed; never less than the provider asks for.
 *
 * @param retry The number of this retry, from 0.
 * @param random In [0, 1).
 * @returns Null if another call is pointless for now.
 */
export function embeddingRetryDelay(error: ModelCallError, retry: number, random: number): number | null {
  const { faults, retriesMax, retryAfterMsMax } = indexing
  const { fault, retryAfterMs } = error
  if (!faults.has(fault) || retry >= retriesMax || (retryAfterMs ?? 0) > retryAfterMsMax) return null
  return Math.max(backOffMs(indexing, retry, random), retryAfterMs ?? 0)
}

/**
 * Exponential backoff with jitter, so that the callers of an outage do not return all at once: between half and all of
 * `baseMs * 2 ** retry`, which is capped at `backoffMsMax`.
 */
function backOffMs(
  { baseMs, backoffMsMax }: { baseMs: number; backoffMsMax: number },
  retry: number,
  random: number,
): number {
  return Math.round(Math.min(backoffMsMax, baseMs * 2 ** retry) * (0.5 + random / 2))
}
