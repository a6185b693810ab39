import { isRecent } from '../../base/is-recent.ts'
import { triggerSourceCheck } from '../../store/sites/source-checks.ts'
import type { AgentJob } from '../../store/agent/agent-jobs.ts'
import { getSite } from '../../store/sites/sites.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { refreshJob } from './refresh-pull-request.ts'

type RefresherDeps = Pick<AgentDeps, 'store' | 'clock' | 'log' | 'openHost'>

/** Shortest time between two lookups of a job; webhooks report changes sooner. */
const freshMs = 30_000

const lookMsMax = 30_000

/** Concurrent lookups per process: more would only wait for the same hosts. */
const looksAtOnceMax = 4

/** Jobs whose last lookup is remembered. Forgetting the oldest costs one extra lookup. */
const rememberedMax = 10_000

/** Updates the pull requests of jobs without making readers of a job wait for another machine. */
export class PullRequestRefresher {
  readonly #deps: RefresherDeps
  readonly #stop = new AbortController()
  readonly #lookedAt = new Map<string, number>()
  readonly #looks = new Set<Promise<AgentJob | null>>()

  constructor(deps: RefresherDeps) {
    this.#deps = deps
  }

  /**
   * Returns the stored job. On the built-in host, its pull request is updated first; on other hosts, an open one is
   * looked up in the background, at most every 30 seconds, for the next read. If a host does not answer, the job stays
   * unchanged.
   */
  async read(job: AgentJob, signal: AbortSignal): Promise<AgentJob> {
    if (job.pullRequest?.state !== 'open') return job
    const site = await getSite(this.#deps.store.durable, job.siteId)
    if (site?.source.kind === 'builtin') return (await this.#look(job, signal)) ?? job
    this.#lookLater(job)
    return job
  }

  /** Ends running lookups. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#looks)
  }

  #lookLater(job: AgentJob): void {
    const now = this.#deps.clock.now()
    const isFresh = isRecent(this.#lookedAt.get(job.id) ?? -Infinity, freshMs, now)
    if (isFresh || this.#looks.size >= looksAtOnceMax || this.#stop.signal.aborted) return
    this.#remember(job.id, now)
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(lookMsMax)])
    const look = this.#look(job, signal).finally(() => this.#looks.delete(look))
    this.#looks.add(look)
  }

  #remember(jobId: string, at: number): void {
    this.#lookedAt.delete(jobId)
    this.#lookedAt.set(jobId, at)
    const oldest = this.#lookedAt.keys().next()
    if (this.#lookedAt.size > rememberedMax && oldest.done !== true) this.#lookedAt.delete(oldest.value)
  }

  /** @returns The updated job; null if the lookup failed. Never rejects. */
  async #look(job: AgentJob, signal: AbortSignal): Promise<AgentJob | null> {
    const { store, log } = this.#deps
    try {
      const refreshed = await refreshJob(this.#deps, job, signal)
      const isMerged = refreshed !== job && refreshed.pullRequest?.state === 'merged'
      // Index the merged pages soon.
      if (isMerged) await triggerSourceCheck(store.durable, job.siteId)
      return refreshed
    } catch (error) {
      if (!this.#stop.signal.aborted) log.warn({ error, jobId: job.id }, 'pull-request-read-failed')
      return null
    }
  }
}
