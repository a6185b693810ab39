import { monotonicFactory } from 'ulid'
import type { Clock } from './clock.ts'

/** Makes ids that sort by the time of their making. */
export interface IdSource {
  /** A bare ULID: 26 characters. */
  ulid(): string
  /** `prefix_ULID`, for ids that people see. */
  prefixed(prefix: string): string
}

/** @param random Numbers in [0, 1); defaults to the platform's secure source. */
export function createIdSource(clock: Clock, random?: () => number): IdSource {
  const next = monotonicFactory(random)
  const ulid = () => next(clock.now())
  return { ulid, prefixed: (prefix) => `${prefix}_${ulid()}` }
}
