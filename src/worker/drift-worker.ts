import { hourMs } from '../base/durations.ts'
import { applyDriftRule, type DriftRuleDeps } from '../agent/drift/apply-drift-rule.ts'
import { checkSiteDrift } from '../agent/drift/check-site-drift.ts'
import { reportDrift, type ReportDriftDeps } from '../agent/drift/report-drift.ts'
import {
  claimDriftCheck,
  type DriftCheck,
  listUncheckedPullRequests,
  queueDueDriftChecks,
  queuePullRequestDrift,
} from '../store/drift/drift-checks.ts'
import { findRepository } from '../store/hosting/repositories.ts'
import { finishClaim, releaseClaim } from '../store/queue.ts'
import { getServedIndexGeneration } from '../store/sites/index-generations.ts'
import { listProductRepositories } from '../store/sites/context-repositories.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { ClaimLoops } from './claim-loops.ts'
import { chooseRetryWait, describeFailure, type RetryPolicy } from './retry-wait.ts'
import type { WorkOutcome } from './work-on-claim.ts'

export interface DriftWorkerDeps extends ReportDriftDeps, DriftRuleDeps {
  telemetry?: Telemetry
  /** Time between two looks at the branches of products; null if only pushes are followed. */
  pollIntervalMs: number | null
}

const leaseMs = 60_000
const pollMs = 3_000
const pullRequestsMax = 50
const retryPolicy: RetryPolicy = { waitMsMin: 15_000, waitMsMax: hourMs, attemptsMax: 12 }

/** Compares products with the pages of sites, one at a time. */
export class DriftWorker extends ClaimLoops<DriftCheck> {
  readonly #deps: DriftWorkerDeps

  constructor(deps: DriftWorkerDeps) {
    super({
      ...deps,
      name: 'drift',
      queue: 'driftChecks',
      count: 1,
      leaseMs,
      pollMs,
      claim: async (times) => {
        await this.#queueMissing(times.now)
        return claimDriftCheck(deps.store.durable, times)
      },
      work: (check, { any, stop }) => this.#work(check, any, stop),
      fieldsOf: ({ siteId, pullRequestId }) => ({ siteId, pullRequestId }),
    })
    this.#deps = deps
  }

  async #queueMissing(now: number): Promise<void> {
    const { store, ids, pollIntervalMs } = this.#deps
    const nextId = () => ids.prefixed('drift')
    const staleBefore = pollIntervalMs === null ? 0 : now - pollIntervalMs
    await queueDueDriftChecks(store.durable, { now, staleBefore, nextId })
    for (const { id: contextId, siteId, source } of await listProductRepositories(store.durable, 'builtin')) {
      const repository = await findRepository(store.durable, source.location)
      if (repository === null) continue
      const wanted = { repositoryId: repository.id, contextId, limit: pullRequestsMax }
      for (const { id: pullRequestId, headCommit } of await listUncheckedPullRequests(store.durable, wanted)) {
        await queuePullRequestDrift(store.durable, { id: nextId(), siteId, contextId, pullRequestId, headCommit, now })
      }
    }
  }

  async #work(check: DriftCheck, any: AbortSignal, stop: AbortSignal): Promise<WorkOutcome> {
    const { store, clock, log } = this.#deps
    try {
      const isOfSite = check.pullRequestId === ''
      const isHeld = await (isOfSite ? checkSiteDrift : reportDrift)(this.#deps, check, any)
      if (isHeld && isOfSite) await this.#applyRule(check.siteId, stop)
      return isHeld ? 'done' : 'lost'
    } catch (error) {
      if (stop.aborted) {
        await releaseClaim(store.durable, 'driftChecks', check, clock.now())
        return 'handed-back'
      }
      if (any.aborted) return 'lost'
      const waitMs = chooseRetryWait(error, check.attempt, retryPolicy)
      const failure = describeFailure(error)
      log.warn({ error, retriedInMs: waitMs }, 'drift-not-checked')
      if (waitMs !== null) await releaseClaim(store.durable, 'driftChecks', check, clock.now() + waitMs, { failure })
      else await this.#giveUp(check, failure)
      return 'failed'
    }
  }

  /** Its failure is not the check's, which is done. */
  async #applyRule(siteId: string, stop: AbortSignal): Promise<void> {
    const { log } = this.#deps
    await applyDriftRule(this.#deps, siteId, stop).catch((error: unknown) =>
      log.warn({ error, siteId }, 'drift-rule-failed'),
    )
  }

  /** A site is looked at again when its pages or a product move, or the next time that branches are looked at. */
  async #giveUp(check: DriftCheck, failure: string): Promise<void> {
    const { store, clock } = this.#deps
    const generation = await getServedIndexGeneration(store.durable, check.siteId)
    const change = { failure, checkedAt: clock.now(), pagesRevision: generation?.revision ?? null }
    await finishClaim(store.durable, 'driftChecks', check, change)
  }
}
