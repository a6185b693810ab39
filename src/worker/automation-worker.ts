import { hourMs } from '../base/durations.ts'
import type { AutomationDeps } from '../agent/automations/automation-deps.ts'
import { checkAutomation, correctDueTimes } from '../agent/automations/check-automation.ts'
import { dispatchAutomationRun } from '../agent/automations/dispatch-automation-run.ts'
import {
  AutomationMovedError,
  type AutomationRun,
  claimAutomationRun,
  releaseAutomations,
} from '../store/agent/automation-runs.ts'
import { type Automation, claimDueAutomation, triggerAllWatchers } from '../store/agent/automations.ts'
import { type Claim, finishClaim, releaseClaim } from '../store/queue.ts'
import { ClaimLoops } from './claim-loops.ts'
import { chooseRetryWait, describeFailure, type RetryPolicy } from './retry-wait.ts'
import type { WorkOutcome } from './work-on-claim.ts'

/** Longer than any unit of work may take. */
const leaseMs = 10 * 60_000
const workTimeoutMs = 8 * 60_000
const lookPollMs = 5_000
const runPollMs = 2_000

/** A clock that goes back by less corrects itself soon enough. */
const setBackMs = 60_000

/** Retries span several hours in total. */
const retryPolicy: RetryPolicy = { waitMsMin: 10_000, waitMsMax: hourMs, attemptsMax: 12 }

/** Checks which automations are due, and turns their runs into jobs. */
export class AutomationWorker {
  readonly #deps: AutomationDeps
  readonly #looks: ClaimLoops<Automation & Claim>
  readonly #runs: ClaimLoops<AutomationRun>
  #claimedAt = -Infinity

  constructor(deps: AutomationDeps) {
    this.#deps = deps
    this.#looks = new ClaimLoops({
      ...deps,
      name: 'automation-look',
      queue: null,
      count: 1,
      leaseMs,
      pollMs: lookPollMs,
      claim: async ({ now, leaseUntil }) => {
        if (now < this.#claimedAt - setBackMs) await correctDueTimes(deps)
        this.#claimedAt = now
        const automation = await claimDueAutomation(deps.store.durable, { now, claimedUntil: leaseUntil })
        return automation && { ...automation, attempt: 1 }
      },
      work: (automation, { stop }) => this.#look(automation, stop),
    })
    this.#runs = new ClaimLoops({
      ...deps,
      name: 'automation-run',
      queue: 'automationRuns',
      count: 1,
      leaseMs,
      pollMs: runPollMs,
      claim: (times) => claimAutomationRun(deps.store.durable, times),
      work: (run, { stop }) => this.#run(run, stop),
    })
  }

  start(): void {
    const begun = this.#takeOver()
    this.#looks.start(begun)
    this.#runs.start(begun)
  }

  /** Work may have arrived. */
  wake(): void {
    this.#looks.wake()
    this.#runs.wake()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#looks.stop(), this.#runs.stop()])
  }

  /** The embedded database has a single process, so claims in it were left by a killed one. */
  async #takeOver(): Promise<void> {
    const { store, clock, log } = this.#deps
    try {
      if (store.dialect === 'sqlite') await releaseAutomations(store.durable)
      await triggerAllWatchers(store.durable, clock.now())
      await correctDueTimes(this.#deps)
    } catch (error) {
      log.error({ error }, 'automation-release-failed')
    }
  }

  async #look(automation: Automation, stop: AbortSignal): Promise<WorkOutcome> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(workTimeoutMs)])
    if (await checkAutomation(this.#deps, automation, signal)) this.#runs.wake()
    return 'done'
  }

  async #run(run: AutomationRun, stop: AbortSignal): Promise<WorkOutcome> {
    const { store, clock, log } = this.#deps
    const { id: runId, automationId } = run
    try {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(workTimeoutMs)])
      const outcome = await dispatchAutomationRun(this.#deps, run, signal)
      if (outcome.state === 'skipped') {
        await finishClaim(store.durable, 'automationRuns', run, { ...outcome, finishedAt: clock.now() })
      }
      log.info({ runId, automationId, cause: run.cause, ...outcome }, 'automation-run')
      return 'done'
    } catch (error) {
      if (!stop.aborted && !(error instanceof AutomationMovedError)) return this.#retry(run, error)
      await releaseClaim(store.durable, 'automationRuns', run, clock.now(), { outcome: null })
      return 'handed-back'
    }
  }

  async #retry(run: AutomationRun, error: unknown): Promise<WorkOutcome> {
    const { store, clock, log } = this.#deps
    const now = clock.now()
    const outcome = describeFailure(error)
    const waitMs = chooseRetryWait(error, run.attempt, retryPolicy)
    log.warn({ runId: run.id, automationId: run.automationId, error, retriedInMs: waitMs }, 'automation-run-failed')
    if (waitMs === null) {
      await finishClaim(store.durable, 'automationRuns', run, { state: 'failed', outcome, finishedAt: now })
    } else await releaseClaim(store.durable, 'automationRuns', run, now + waitMs, { outcome })
    return 'failed'
  }
}
