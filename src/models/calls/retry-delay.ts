import type { ModelCallError, ModelFault } from './model-call-error.ts'

const baseMs = 500
const backoffMsMax = 8_000
/** A reader waits for the answer: what asks for a longer wait is not waited for. */
const retryAfterMsMax = 20_000

/** Faults that may be gone a moment later. A time limit is none of them: the reader has waited that long already. */
const passing: ReadonlySet<ModelFault> = new Set(['rate-limit', 'overloaded', 'unreachable', 'broken'])

/**
 * Exponential, with jitter, so that the callers of an outage do not come back as one: between a half and all of
 * `baseMs * 2 ** retry`, which grows up to `maxMs`.
 */
export function backOffMs({ baseMs, maxMs }: { baseMs: number; maxMs: number }, retry: number, random: number): number {
  return Math.round(Math.min(maxMs, baseMs * 2 ** retry) * (0.5 + random / 2))
}

/**
 * How long to wait before the same model is called again; never less than the provider asks.
 *
 * @param retry The number of this retry, from 0.
 * @param random In [0, 1).
 * @returns Null when a further call is of no use, or would be too late for a reader.
 */
export function retryDelay(error: ModelCallError, retry: number, random: number): number | null {
  if (!passing.has(error.fault)) return null
  const backoffMs = backOffMs({ baseMs, maxMs: backoffMsMax }, retry, random)
  if (error.retryAfterMs === null) return backoffMs
  return error.retryAfterMs > retryAfterMsMax ? null : error.retryAfterMs + Math.round(random * baseMs)
}
