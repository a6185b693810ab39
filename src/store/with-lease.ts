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
  /** A task that one replica at a time performs: `repository:repo_01…`. */
  name: string
  /** How long after its last renewal a holder is considered dead. Default 15 seconds. */
  ttlMs?: number
  /** Longest wait for the lease; 0 for a single attempt. Default 60 seconds. */
  waitMsMax?: number
  signal: AbortSignal
}

const ttlMsDefault = 15_000
const waitMsDefault = 60_000
const pollMs = 60

/** Another replica held the lease for too long. */
export class LeaseHeldError extends AppError {
  constructor() {
    super('conflict', 'Another process is working on this right now. Try again in a moment.')
  }
}

/**
 * Runs work under a lease, excluding all other replicas and concurrent calls of this process.
 *
 * A paused holder that resumes may overlap with the next one: fence its writes by other means, such as a version.
 *
 * @param work Its signal aborts when the lease is lost.
 * @throws {LeaseHeldError} when the lease cannot be acquired in time.
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
    await wait(pollMs, undefined, { signal })
  }
  const lost = new AbortController()
  const renew = () =>
    renewLease(store.durable, claim, ttlMs).then((isHeld) => isHeld || lost.abort(new LeaseHeldError()))
  const heartbeat = setInterval(() => void renew().catch(() => undefined), ttlMs / 3)
  try {
    return await work(AbortSignal.any([signal, lost.signal]))
  } finally {
    clearInterval(heartbeat)
    // An unreleased lease expires.
    await releaseLease(store.durable, claim).catch(() => undefined)
  }
}
