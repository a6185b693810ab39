import type { Clock } from '../base/clock.ts'
import { syncSite, type SyncSiteDeps } from '../sites/indexing/sync-site.ts'
import { isDiskFull } from '../store/database-error.ts'
import { claimIndexRun, finishIndexRun, type IndexRun, type IndexRunLane } from '../store/sites/index-runs.ts'
import { releaseClaim } from '../store/queue.ts'
import type { Log } from '../telemetry/log.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { ClaimLoops, type WorkSignals } from './claim-loops.ts'
import type { WorkOutcome } from './work-on-claim.ts'

export interface IndexWorkerDeps extends SyncSiteDeps {
  clock: Clock
  log: Log
  telemetry?: Telemetry
}

/** A worker that stops renewing its claim is presumed dead after this time. */
const leaseMs = 30_000

/** Crawls take minutes because they pause between requests; they must not hold up other sites. */
const lanes: readonly IndexRunLane[] = ['at-hand', 'crawled']

/** Concurrent runs in each lane, so that a slow host holds up only its own site. */
const runsPerLane = 2

const pollMs = 1_000

/** Builds the indexes of sites, several concurrently and one run per site. */
export class IndexWorker {
  readonly #deps: IndexWorkerDeps
  readonly #lanes: ClaimLoops<IndexRun>[]
  /** Sites to work for; null for all. */
  #sites: Set<string> | null = null

  constructor(deps: IndexWorkerDeps) {
    this.#deps = deps
    this.#lanes = lanes.map(
      (lane) =>
        new ClaimLoops({
          ...deps,
          name: 'sync',
          queue: 'indexRuns',
          count: runsPerLane,
          leaseMs,
          pollMs,
          claim: (times) => claimIndexRun(deps.store.durable, { ...times, ...this.#choose(lane) }),
          work: (run, signals) => this.#work(run, signals),
          fieldsOf: ({ id, siteId }) => ({ siteId, runId: id }),
        }),
    )
  }

  start(): void {
    for (const lane of this.#lanes) lane.start()
  }

  /** Adds a site to work for, in a process that only does what it is asked to. */
  workFor(siteId: string): void {
    this.#sites = (this.#sites ?? new Set()).add(siteId)
    this.start()
    this.wake()
  }

  /** Looks for work now. */
  wake(): void {
    for (const lane of this.#lanes) lane.wake()
  }

  /** Hands back running work: another worker continues it, or this one after a restart. */
  async stop(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.stop()))
  }

  #choose(lane: IndexRunLane) {
    return { lane, ...(this.#sites !== null && { siteIds: [...this.#sites] }) }
  }

  async #work(run: IndexRun, { stop, lost, any }: WorkSignals): Promise<WorkOutcome> {
    const { store, clock, log } = this.#deps
    const ids = { siteId: run.siteId, runId: run.id }
    const startedAtMs = clock.now()
    let failure: string | null = null
    try {
      const generation = await syncSite(this.#deps, run, any)
      log.info({ ...ids, generation: generation?.number ?? null, durationMs: clock.now() - startedAtMs }, 'site-synced')
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error)
      log.warn({ ...ids, error }, 'site-sync-failed')
      // Let the claim lapse, so that the run is retried: nobody would request it again.
      if (isDiskFull(error)) return 'handed-back'
    }
    if (stop.aborted && failure !== null) {
      await releaseClaim(store.durable, 'indexRuns', run, clock.now())
      return 'handed-back'
    }
    await finishIndexRun(store.durable, { ...run, failure, finishedAt: clock.now() })
    if (lost.aborted) return 'lost'
    return failure === null ? 'done' : 'failed'
  }
}
