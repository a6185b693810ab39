import { isRecent } from '../../base/is-recent.ts'
import { hastenSourceCheck } from '../../store/source-checks.ts'
import type { AgentJob } from '../../store/agent-jobs.ts'
import { getSite } from '../../store/sites.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { refreshJob } from './refresh-pull-request.ts'

type RefresherDeps = Pick<AgentDeps, 'store' | 'clock' | 'log' | 'openHost'>

/** A state that was looked up so lately is not asked for again; webhooks tell of changes at once. */
const freshMs = 30_000

const lookMsMax = 30_000

/** Looks at once in one process: more would only wait for the same hosts. */
const looksAtOnceMax = 4

/** Jobs whose last look is remembered; the oldest are forgotten first, which costs one look more. */
const rememberedMax = 10_000

/** Brings the pull requests of jobs up to date without letting whoever reads a job wait for another machine. */
export class PullRequestRefresher {
  readonly #deps: RefresherDeps
  readonly #stop = new AbortController()
  readonly #lookedAt = new Map<string, number>()
  readonly #looks = new Set<Promise<AgentJob | null>>()

  constructor(deps: RefresherDeps) {
    this.#deps = deps
  }

  /**
   * The job as it is known. One on the built-in host is brought up to date first; of any other host the open pull
   * request is looked up meanwhile, at most every 30 seconds, and shows the next time. A host that does not answer
   * leaves the job as it was.
   */
  async read(job: AgentJob, signal: AbortSignal): Promise<AgentJob> {
    if (job.pullRequest?.state !== 'open') return job
    const site = await getSite(this.#deps.store.durable, job.siteId)
    if (site?.source.kind === 'builtin') return (await this.#look(job, signal)) ?? job
    this.#lookLater(job)
    return job
  }

  /** Ends what is being looked at. */
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

  /** @returns The job as it is now; null when that could not be found out. Never rejects. */
  async #look(job: AgentJob, signal: AbortSignal): Promise<AgentJob | null> {
    const { store, log } = this.#deps
    try {
      const refreshed = await refreshJob(this.#deps, job, signal)
      const isMerged = refreshed !== job && refreshed.pullRequest?.state === 'merged'
      // What was merged there is soon to be answered from here.
      if (isMerged) await hastenSourceCheck(store.durable, job.siteId)
      return refreshed
    } catch (error) {
      if (!this.#stop.signal.aborted) log.warn({ error, jobId: job.id }, 'pull-request-read-failed')
      return null
    }
  }
}
