import type { Clock } from '../base/clock.ts'
import { syncSite, type SyncSiteDeps } from '../sites/sync-site.ts'
import { isDiskFull } from '../store/database-error.ts'
import {
  claimIndexRun,
  finishIndexRun,
  type IndexRun,
  type IndexRunLane,
  releaseIndexRunLeases,
  renewIndexRunLease,
} from '../store/index-runs.ts'
import type { Log } from '../telemetry/log.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { workOnClaim, type WorkOutcome } from './work-on-claim.ts'

export interface IndexWorkerDeps extends SyncSiteDeps {
  clock: Clock
  log: Log
  /** Names this worker in leases. */
  owner: string
  telemetry?: Telemetry
}

/** A worker that stops renewing is taken for dead after this time. */
const leaseMs = 30_000
const heartbeatMs = 10_000

/**
 * Runs of different sites at once: a host that answers slowly holds up its own site alone. Crawls take minutes, because
 * they wait between requests, and have lanes of their own.
 */
const lanes: readonly IndexRunLane[] = ['at-hand', 'at-hand', 'crawled', 'crawled']

/** Longest wait for work that nobody announced: another process queued it, or a lease lapsed. */
const pollMs = 1_000

/** Claims index runs, a few at a time and one per site, and works them off until it is stopped. */
export class IndexWorker {
  readonly #deps: IndexWorkerDeps
  readonly #stop = new AbortController()
  readonly #sleepers = new Set<() => void>()
  /** The sites that may be worked on; null for all. */
  #sites: Set<string> | null = null
  #loops: Promise<void>[] = []

  constructor(deps: IndexWorkerDeps) {
    this.#deps = deps
  }

  start(): void {
    if (this.#loops.length > 0) return
    const begun = this.#takeOver()
    this.#loops = lanes.map((lane) => begun.then(() => this.#run(lane)))
  }

  /** Works for one site, besides those that it was told before: for a process that does nothing but what it is asked. */
  workFor(siteId: string): void {
    this.#sites = (this.#sites ?? new Set()).add(siteId)
    this.start()
    this.wake()
  }

  /** Looks for work now. */
  wake(): void {
    for (const wake of this.#sleepers) wake()
  }

  /** Stops after handing back the runs that are being worked on; another worker, or the next start, takes them up. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.wake()
    await Promise.all(this.#loops)
  }

  /** The embedded database has one process, so that what is running there was left by one that was killed. */
  async #takeOver(): Promise<void> {
    const { store, clock, log } = this.#deps
    if (store.dialect !== 'sqlite') return
    await releaseIndexRunLeases(store.durable, clock.now()).catch((error: unknown) =>
      log.error({ error }, 'index-run-release-failed'),
    )
  }

  async #run(lane: IndexRunLane): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const run = await this.#claim(lane).catch((error: unknown) => {
        this.#deps.log.error({ error }, 'index-run-claim-failed')
        return null
      })
      if (run === null) await this.#waitForWork()
      else
        await this.#tellOf(run).catch((error: unknown) =>
          this.#deps.log.error({ error, runId: run.id }, 'index-run-lost'),
        )
    }
  }

  #claim(lane: IndexRunLane): Promise<IndexRun | null> {
    const { store, clock, owner } = this.#deps
    const now = clock.now()
    const siteIds = this.#sites === null ? {} : { siteIds: [...this.#sites] }
    return claimIndexRun(store.durable, { owner, now, leaseUntil: now + leaseMs, lane, ...siteIds })
  }

  #waitForWork(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#sleepers.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, pollMs)
      this.#sleepers.add(wake)
    })
  }

  #tellOf(run: IndexRun): Promise<void> {
    const fields = { siteId: run.siteId, runId: run.id }
    const claimed = { work: 'sync', fields, isTakenOver: run.attempt > 1 }
    return workOnClaim(this.#deps, claimed, () => this.#work(run))
  }

  async #work(run: IndexRun): Promise<WorkOutcome> {
    const { store, clock, log } = this.#deps
    const lost = new AbortController()
    const heartbeat = setInterval(() => void this.#renew(run, lost), heartbeatMs)
    const startedAtMs = clock.now()
    let failure: string | null = null
    let isWaitingForRoom = false
    try {
      const generation = await syncSite(this.#deps, run, AbortSignal.any([this.#stop.signal, lost.signal]))
      log.info(
        {
          siteId: run.siteId,
          runId: run.id,
          generation: generation?.number ?? null,
          durationMs: clock.now() - startedAtMs,
        },
        'site-synced',
      )
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error)
      isWaitingForRoom = isDiskFull(error)
      log.warn({ siteId: run.siteId, runId: run.id, error }, 'site-sync-failed')
    } finally {
      clearInterval(heartbeat)
    }
    // The claim lapses by itself, and whoever takes the run then tries again: nobody would ask for it a second time.
    if (isWaitingForRoom) return 'handed-back'
    if (this.#stop.signal.aborted && failure !== null) {
      await renewIndexRunLease(store.durable, { ...run, leaseUntil: clock.now() })
      return 'handed-back'
    }
    await finishIndexRun(store.durable, { ...run, failure, finishedAt: clock.now() })
    if (lost.signal.aborted) return 'lost'
    return failure === null ? 'done' : 'failed'
  }

  async #renew(run: IndexRun, lost: AbortController): Promise<void> {
    const leaseUntil = this.#deps.clock.now() + leaseMs
    const isHeld = await renewIndexRunLease(this.#deps.store.durable, { ...run, leaseUntil }).catch(() => true)
    if (!isHeld) lost.abort()
  }
}
