import { setTimeout as wait } from 'node:timers/promises'
import type { IdSource } from '../base/ids.ts'
import { AppError } from '../contract/app-error.ts'
import { type LeaseClaim, releaseLease, renewLease, acquireLease } from './leases.ts'
import type { Store } from './store.ts'

export interface LeaseDeps {
  store: Store
  ids: IdSource
}

export interface WithLeaseOptions {
  /** What is done by one replica at a time: `repository:repo_01…`. */
  name: string
  /** The holder of a lease that gives no sign of life for so long is taken for dead. Default 15 seconds. */
  ttlMs?: number
  /** Longest wait for the lease; 0 for one look. Default 60 seconds. */
  waitMsMax?: number
  signal: AbortSignal
}

const ttlMsDefault = 15_000
const waitMsDefault = 60_000
const lookEveryMs = 60

/** The lease was held by another replica for too long. */
export class LeaseHeldError extends AppError {
  constructor() {
    super('conflict', 'Another process is at work on this right now. Try again in a moment.')
  }
}

/**
 * Does something while no other replica does it. Several calls of one process exclude each other too.
 *
 * A holder that was stopped and goes on later may overlap with the next one: what it writes must be fenced by something
 * else, such as a version.
 *
 * @param work Its signal aborts when the lease is lost.
 * @throws {LeaseHeldError} when it cannot be had in time.
 */
export async function withLease<Result>(
  { store, ids }: LeaseDeps,
  options: WithLeaseOptions,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { name, ttlMs = ttlMsDefault, waitMsMax = waitMsDefault, signal } = options
  const claim: LeaseClaim = { name, owner: ids.ulid() }
  const deadline = performance.now() + waitMsMax
  while (!(await acquireLease(store.durable, claim, ttlMs))) {
    if (performance.now() >= deadline) throw new LeaseHeldError()
    await wait(lookEveryMs, undefined, { signal })
  }
  const lost = new AbortController()
  const renew = () =>
    renewLease(store.durable, claim, ttlMs).then((isHeld) => isHeld || lost.abort(new LeaseHeldError()))
  const heartbeat = setInterval(() => void renew().catch(() => undefined), ttlMs / 3)
  try {
    return await work(AbortSignal.any([signal, lost.signal]))
  } finally {
    clearInterval(heartbeat)
    // A lease that cannot be given back lapses.
    await releaseLease(store.durable, claim).catch(() => undefined)
  }
}
