import type { AgentDeps } from '../agent/agent-deps.ts'
import { failJob } from '../agent/fail-job.ts'
import { LeaseLostError } from '../agent/rounds/lease-lost-error.ts'
import { type AgentJob, claimAgentJob, getAgentJob } from '../store/agent/agent-jobs.ts'
import { releaseClaim } from '../store/queue.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { ClaimLoops, type WorkSignals } from './claim-loops.ts'
import type { WorkOutcome } from './work-on-claim.ts'

export interface AgentWorkerDeps extends AgentDeps {
  /** Concurrent jobs. */
  jobsAtOnce: number
  /** Lease of a claim; 30,000 ms by default. */
  leaseMs?: number
  telemetry?: Telemetry
}

const leaseMsDefault = 30_000
const pollMs = 1_000

/** Runs the agent's jobs. */
export class AgentWorker extends ClaimLoops<AgentJob> {
  readonly #deps: AgentWorkerDeps

  constructor(deps: AgentWorkerDeps) {
    super({
      ...deps,
      name: 'job',
      queue: 'agentJobs',
      count: deps.jobsAtOnce,
      leaseMs: deps.leaseMs ?? leaseMsDefault,
      pollMs,
      claim: (times) => claimAgentJob(deps.store.durable, times),
      work: (job, signals) => this.#work(job, signals),
      fieldsOf: ({ id, siteId }) => ({ jobId: id, siteId }),
    })
    this.#deps = deps
  }

  /** Hands back running jobs; they resume after their last completed step. */
  override async stop(): Promise<void> {
    await super.stop()
    await this.#deps.checks.close()
  }

  async #work(job: AgentJob, { stop, lost, any }: WorkSignals): Promise<WorkOutcome> {
    const { clock, log } = this.#deps
    const startedAtMs = clock.now()
    try {
      // Loaded for the first job: with its tools and what they read of pages, it takes 10 ms and 10 MB.
      const { runJob } = await import('../agent/run-job.ts')
      await runJob(this.#deps, job, any)
      log.info({ jobId: job.id, attempt: job.attempt, durationMs: clock.now() - startedAtMs }, 'job-ended')
      return 'done'
    } catch (error) {
      return this.#handle(job, error, { isLost: lost.aborted, isStopping: stop.aborted })
    }
  }

  async #handle(
    job: AgentJob,
    error: unknown,
    { isLost, isStopping }: { isLost: boolean; isStopping: boolean },
  ): Promise<WorkOutcome> {
    const { store, clock, log } = this.#deps
    if (error instanceof LeaseLostError || isLost) {
      log.info({ jobId: job.id, attempt: job.attempt }, 'job-claim-lost')
      const current = await getAgentJob(store.durable, job.id)
      return current?.status === 'active' ? 'lost' : 'withdrawn'
    }
    if (isStopping) {
      await releaseClaim(store.durable, 'agentJobs', job, clock.now())
      return 'handed-back'
    }
    log.warn({ jobId: job.id, attempt: job.attempt, error }, 'job-failed')
    const retryAt = await failJob(this.#deps, job, error)
    if (retryAt !== null) await releaseClaim(store.durable, 'agentJobs', job, retryAt)
    return 'failed'
  }
}
