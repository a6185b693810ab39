import { randomFillSync } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import type { Clock } from './clock.ts'

/** Makes ids that sort by creation time. */
export interface IdSource {
  /** A bare ULID: 26 characters. */
  ulid(): string
  /** `prefix_ULID`, for ids that people see. */
  prefixed(prefix: string): string
}

/** @param random Returns numbers in [0, 1). Default: the platform's secure source. */
export function createIdSource(clock: Clock, random: () => number = createSecureRandom()): IdSource {
  const next = monotonicFactory(random)
  const ulid = () => next(clock.now())
  return { ulid, prefixed: (prefix) => `${prefix}_${ulid()}` }
}

/** Draws secure random numbers in bulk: an id takes sixteen, and a system call for each would cost more than the id itself. */
function createSecureRandom(): () => number {
  const pool = new Uint8Array(4_096)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    return (pool[used++] ?? 0) / 256
  }
}
