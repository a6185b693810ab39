import type { AutomationDeps } from '../agent/automations/automation-deps.ts'
import { lookAtAutomation } from '../agent/automations/look-at-automation.ts'
import { runAutomation } from '../agent/automations/run-automation.ts'
import { ForgeError } from '../codehost/forge/forge-error.ts'
import { AppError } from '../contract/app-error.ts'
import {
  AutomationMovedError,
  type AutomationRun,
  claimAutomationRun,
  endAutomationRun,
  releaseAutomations,
  retryAutomationRun,
} from '../store/automation-runs.ts'
import { type Automation, claimDueAutomation, hastenAllWatchers } from '../store/automations.ts'
import { ClaimLoops } from './claim-loops.ts'

/** Longer than any piece of the work may take. */
const leaseMs = 10 * 60_000
const workTimeoutMs = 8 * 60_000
const lookPollMs = 5_000
const runPollMs = 2_000

/** After a failure a run is tried again after 10 s, 20 s, 40 s … up to an hour: for some hours in all. */
const retryMsMin = 10_000
const retryMsMax = 60 * 60_000
const triesMax = 12

/** Looks whether automations are to run, and turns their runs into jobs. */
export class AutomationWorker {
  readonly #deps: AutomationDeps
  readonly #looks: ClaimLoops<Automation>
  readonly #runs: ClaimLoops<AutomationRun>

  constructor(deps: AutomationDeps) {
    this.#deps = deps
    const { log, store, clock } = deps
    this.#looks = new ClaimLoops({
      log,
      name: 'automation-look',
      count: 1,
      pollMs: lookPollMs,
      claim: () => claimDueAutomation(store.durable, { now: clock.now(), claimedUntil: clock.now() + leaseMs }),
      work: (automation, signal) => this.#look(automation, signal),
    })
    this.#runs = new ClaimLoops({
      log,
      name: 'automation-run',
      count: 1,
      pollMs: runPollMs,
      claim: () => claimAutomationRun(store.durable, { now: clock.now(), leaseUntil: clock.now() + leaseMs }),
      work: (run, signal) => this.#run(run, signal),
    })
  }

  start(): void {
    const begun = this.#takeOver()
    this.#looks.start(begun)
    this.#runs.start(begun)
  }

  /** There is something to do. */
  wake(): void {
    this.#looks.wake()
    this.#runs.wake()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#looks.stop(), this.#runs.stop()])
  }

  /** The embedded database has one process, so that what is claimed there was left by one that was killed. */
  async #takeOver(): Promise<void> {
    const { store, clock, log } = this.#deps
    try {
      if (store.dialect === 'sqlite') await releaseAutomations(store.durable, clock.now())
      await hastenAllWatchers(store.durable, clock.now())
    } catch (error) {
      log.error({ error }, 'automation-release-failed')
    }
  }

  async #look(automation: Automation, stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(workTimeoutMs)])
    if (await lookAtAutomation(this.#deps, automation, signal)) this.#runs.wake()
  }

  async #run(run: AutomationRun, stop: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#deps
    const { id: runId, automationId } = run
    try {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(workTimeoutMs)])
      const outcome = await runAutomation(this.#deps, run, signal)
      if (outcome.state === 'skipped') await endAutomationRun(store.durable, run, { ...outcome, now: clock.now() })
      log.info({ runId, automationId, cause: run.cause, ...outcome }, 'automation-run')
    } catch (error) {
      if (stop.aborted) await retryAutomationRun(store.durable, run, { outcome: null, runAt: clock.now() })
      else await this.#settle(run, error)
    }
  }

  async #settle(run: AutomationRun, error: unknown): Promise<void> {
    const { store, clock, log } = this.#deps
    const now = clock.now()
    if (error instanceof AutomationMovedError) {
      await retryAutomationRun(store.durable, run, { outcome: null, runAt: now })
      return
    }
    const outcome =
      error instanceof AppError ? error.message : 'Something went wrong on our side; the log of the server says more.'
    const waitMs = chooseWait(error, run.attempt)
    log.warn({ runId: run.id, automationId: run.automationId, error, retriedInMs: waitMs }, 'automation-run-failed')
    if (waitMs === null) await endAutomationRun(store.durable, run, { state: 'failed', outcome, now })
    else await retryAutomationRun(store.durable, run, { outcome, runAt: now + waitMs })
  }
}

/** Null where trying again is of no use: the host refused, or it was tried often enough. */
function chooseWait(error: unknown, attempt: number): number | null {
  const isFinal = error instanceof AppError && error.code !== 'limit_reached' && !isPassing(error)
  if (isFinal || attempt >= triesMax) return null
  const asked = error instanceof ForgeError ? (error.retryAfterMs ?? 0) : 0
  return Math.max(asked, Math.min(retryMsMax, retryMsMin * 2 ** (attempt - 1)))
}

function isPassing(error: AppError): boolean {
  return error instanceof ForgeError ? error.isPassing : error.code === 'database_unavailable'
}
