import { hourMs } from '../base/durations.ts'
import type { ComparePullRequestDeps } from '../agent/counterfactual/compare-pull-request.ts'
import { listSitesOfBranch } from '../sites/request-syncs-of-branch.ts'
import {
  claimComparison,
  type ComparisonRow,
  finishComparison,
  listUncompared,
  queueComparison,
} from '../store/comparisons/comparisons.ts'
import { getRepository } from '../store/hosting/repositories.ts'
import { releaseClaim } from '../store/queue.ts'
import type { Log } from '../telemetry/log.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { ClaimLoops } from './claim-loops.ts'
import { chooseRetryWait, describeFailure, type RetryPolicy } from './retry-wait.ts'
import type { WorkOutcome } from './work-on-claim.ts'

export interface ComparisonWorkerDeps extends ComparePullRequestDeps {
  log: Log
  telemetry?: Telemetry
}

const leaseMs = 60_000
const pollMs = 3_000
const uncomparedMax = 50
const retryPolicy: RetryPolicy = { waitMsMin: 15_000, waitMsMax: 30 * 60_000, attemptsMax: Infinity }
/** Attempts do not tell how often it was tried, because each push counts as one. */
const retriedMsMax = 6 * hourMs

/** Compares pull requests with their base, one at a time. */
export class ComparisonWorker extends ClaimLoops<ComparisonRow> {
  readonly #deps: ComparisonWorkerDeps
  /** Commits of pull requests that belong to no site. */
  readonly #unused = new Set<string>()

  constructor(deps: ComparisonWorkerDeps) {
    super({
      ...deps,
      name: 'comparison',
      queue: 'comparisons',
      count: 1,
      leaseMs,
      pollMs,
      claim: async (times) => {
        await this.#queueBuiltin(times.now)
        return claimComparison(deps.store.durable, times)
      },
      work: (row, { any, stop }) => this.#work(row, any, stop),
      fieldsOf: ({ siteId, pullRequestId }) => ({ siteId, pullRequestId }),
    })
    this.#deps = deps
  }

  /** Finds missing comparisons instead of relying on events, so that none is lost to a killed process. */
  async #queueBuiltin(now: number): Promise<void> {
    const { store, ids } = this.#deps
    for (const { id, headCommit, repositoryId, baseBranch } of await listUncompared(store.durable, uncomparedMax)) {
      const key = `${id} ${headCommit}`
      if (this.#unused.has(key)) continue
      const repository = await getRepository(store.durable, repositoryId)
      const sites = repository === null ? [] : await listSitesOfBranch(store, { repository, branch: baseBranch })
      if (sites.length === 0) this.#unused.add(key)
      for (const site of sites) {
        await queueComparison(store.durable, {
          id: ids.prefixed('comparison'),
          siteId: site.id,
          pullRequestId: id,
          headCommit,
          now,
        })
      }
    }
  }

  async #work(row: ComparisonRow, any: AbortSignal, stop: AbortSignal): Promise<WorkOutcome> {
    const { store, clock, log } = this.#deps
    try {
      // Loads the readers of navigation.
      const { comparePullRequest } = await import('../agent/counterfactual/compare-pull-request.ts')
      await comparePullRequest(this.#deps, row, any)
      return (await finishComparison(store.durable, row, null)) ? 'done' : 'lost'
    } catch (error) {
      if (stop.aborted) {
        await releaseClaim(store.durable, 'comparisons', row, clock.now())
        return 'handed-back'
      }
      if (any.aborted) return 'lost'
      const isLate = clock.now() - row.queuedAt > retriedMsMax
      const waitMs = isLate ? null : chooseRetryWait(error, row.attempt, retryPolicy)
      log.warn({ error, retriedInMs: waitMs }, 'pull-request-not-compared')
      const failure = describeFailure(error)
      if (waitMs === null) await finishComparison(store.durable, row, failure)
      else await releaseClaim(store.durable, 'comparisons', row, clock.now() + waitMs, { failure })
      return 'failed'
    }
  }
}
