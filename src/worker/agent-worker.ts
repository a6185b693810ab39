import type { AgentDeps } from '../agent/agent-deps.ts'
import { failJob } from '../agent/fail-job.ts'
import { LeaseLostError } from '../agent/rounds/lease-lost-error.ts'
import { runJob } from '../agent/run-job.ts'
import { claimAgentJob, releaseAgentJobLeases, renewAgentJobLease } from '../store/agent-job-claims.ts'
import { type AgentJob, getAgentJob } from '../store/agent-jobs.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { workOnClaim, type WorkOutcome } from './work-on-claim.ts'

export interface AgentWorkerDeps extends AgentDeps {
  /** Names this worker in leases. */
  owner: string
  /** Jobs that this worker works on at the same time. */
  jobsAtOnce: number
  /** How long a lease holds; 30,000 ms unless given. */
  leaseMs?: number
  telemetry?: Telemetry
}

const leaseMsDefault = 30_000
/** Longest wait for work that nobody announced: another process made a job, or a lease lapsed. */
const pollMs = 1_000

/** Claims jobs of the agent and works them off until it is stopped. */
export class AgentWorker {
  readonly #deps: AgentWorkerDeps
  readonly #leaseMs: number
  readonly #stop = new AbortController()
  readonly #sleepers = new Set<() => void>()
  /** Looks whether the claim is still held, for each job that is worked on. */
  readonly #running = new Map<AgentJob, () => Promise<void>>()
  #loops: Promise<void>[] = []

  constructor(deps: AgentWorkerDeps) {
    this.#deps = deps
    this.#leaseMs = deps.leaseMs ?? leaseMsDefault
  }

  start(): void {
    if (this.#loops.length > 0) return
    const begun = this.#takeOver()
    this.#loops = Array.from({ length: this.#deps.jobsAtOnce }, () => begun.then(() => this.#run()))
  }

  /** Looks for work now, and whether the work that goes on was cancelled. */
  wake(): void {
    for (const wake of this.#sleepers) wake()
    for (const renew of this.#running.values()) void renew()
  }

  /** Stops after handing back the jobs that are being worked on; they go on from their last step. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.wake()
    await Promise.all(this.#loops)
    await this.#deps.checks.close()
  }

  /** The embedded database has one process, so that what is leased there was left by one that was killed. */
  async #takeOver(): Promise<void> {
    const { store, clock, log } = this.#deps
    if (store.dialect !== 'sqlite') return
    await releaseAgentJobLeases(store.durable, clock.now()).catch((error: unknown) =>
      log.error({ error }, 'job-release-failed'),
    )
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const job = await this.#claim().catch((error: unknown) => {
        this.#deps.log.error({ error }, 'job-claim-failed')
        return null
      })
      if (job === null) await this.#waitForWork()
      else await this.#tellOf(job).catch((error: unknown) => this.#deps.log.error({ error, jobId: job.id }, 'job-lost'))
    }
  }

  #claim(): Promise<AgentJob | null> {
    const now = this.#deps.clock.now()
    const { owner, store } = this.#deps
    return claimAgentJob(store.durable, { owner, now, leaseUntil: now + this.#leaseMs })
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
      // It may have been told to stop since it looked.
      if (this.#stop.signal.aborted) wake()
    })
  }

  #tellOf(job: AgentJob): Promise<void> {
    const fields = { jobId: job.id, siteId: job.siteId }
    return workOnClaim(this.#deps, { work: 'job', fields }, () => this.#work(job))
  }

  async #work(job: AgentJob): Promise<WorkOutcome> {
    const { clock, log } = this.#deps
    const lost = new AbortController()
    const renew = () => this.#renew(job, lost)
    const heartbeat = setInterval(() => void renew(), this.#leaseMs / 3)
    this.#running.set(job, renew)
    const startedAtMs = clock.now()
    try {
      await runJob(this.#deps, job, AbortSignal.any([this.#stop.signal, lost.signal]))
      log.info({ jobId: job.id, attempt: job.attempt, durationMs: clock.now() - startedAtMs }, 'job-ended')
      return 'done'
    } catch (error) {
      return await this.#settle(job, error, lost.signal)
    } finally {
      clearInterval(heartbeat)
      this.#running.delete(job)
    }
  }

  async #settle(job: AgentJob, error: unknown, lost: AbortSignal): Promise<WorkOutcome> {
    const { store, clock, log } = this.#deps
    if (error instanceof LeaseLostError || lost.aborted) {
      log.info({ jobId: job.id, attempt: job.attempt }, 'job-claim-lost')
      const now = await getAgentJob(store.durable, job.id)
      return now?.status === 'active' ? 'lost' : 'withdrawn'
    }
    if (this.#stop.signal.aborted) {
      await renewAgentJobLease(store.durable, { ...job, leaseUntil: clock.now() })
      return 'handed-back'
    }
    log.warn({ jobId: job.id, attempt: job.attempt, error }, 'job-failed')
    const retryAt = await failJob(this.#deps, job, error)
    if (retryAt !== null) await renewAgentJobLease(store.durable, { ...job, leaseUntil: retryAt })
    return 'failed'
  }

  async #renew(job: AgentJob, lost: AbortController): Promise<void> {
    const leaseUntil = this.#deps.clock.now() + this.#leaseMs
    const isHeld = await renewAgentJobLease(this.#deps.store.durable, { ...job, leaseUntil }).catch(() => true)
    if (!isHeld) lost.abort(new LeaseLostError(job.id))
  }
}
