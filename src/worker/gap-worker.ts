import { refreshPullRequest } from '../agent/jobs/refresh-pull-request.ts'
import type { AgentRequestDeps } from '../agent/agent-deps.ts'
import type { AnswerDeps } from '../assistant/answer-question.ts'
import { retryQuestions } from '../assistant/retry-questions.ts'
import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/ids.ts'
import type { ClusterThread } from '../insights/cluster-thread.ts'
import { findGap } from '../insights/find-gaps.ts'
import { chooseRetries, storeRetries } from '../insights/retry-gap.ts'
import type { LiveSites } from '../sites/live-sites.ts'
import { getAgentJob } from '../store/agent/agent-jobs.ts'
import { claimGap, type DraftedGap, listDraftedGaps } from '../store/answers/gaps.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'

export interface GapWorkerDeps {
  store: Store
  clock: Clock
  ids: IdSource
  clusters: ClusterThread
  log: Log
  sites: LiveSites
  answers: AnswerDeps
  openHost: AgentRequestDeps['openHost']
  masksStored: boolean
}

const roundMs = 60_000
const gapsAtOnce = 5
/** For all questions of one gap together. */
const gapMsMax = 180_000

/**
 * Asks the questions of a gap again once its job's pull request is merged and the site has been indexed since. If
 * nothing was drafted, a round is one small query.
 */
export class GapWorker {
  readonly #deps: GapWorkerDeps
  readonly #stop = new AbortController()
  #timer: NodeJS.Timeout | null = null
  #round: Promise<void> = Promise.resolve()

  constructor(deps: GapWorkerDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#timer ??= setInterval(() => this.wake(), roundMs)
    this.#timer.unref()
  }

  /** An index was published: runs a round now if the worker is started. */
  wake(): void {
    if (this.#timer !== null) this.#round = this.#round.then(() => this.#reaskMended())
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#round
  }

  /** One round. Never rejects: failures are retried in the next round. */
  async #reaskMended(): Promise<void> {
    if (this.#stop.signal.aborted) return
    const { store, log } = this.#deps
    try {
      for (const gap of await listDraftedGaps(store.durable, gapsAtOnce)) {
        if (this.#stop.signal.aborted) return
        await this.#reask(gap)
      }
    } catch (error) {
      log.warn({ error }, 'gaps-not-asked-again')
    }
  }

  async #reask(drafted: DraftedGap): Promise<void> {
    const { store, clock, sites, answers, masksStored, log } = this.#deps
    // The worker that claims the gap first asks. The claim also limits open pull requests to one check per index.
    if (!(await claimGap(store.durable, drafted, clock.now()))) return
    if (!(await this.#isMerged(drafted.jobId))) return
    const { siteId, organizationId } = drafted
    const gap = await findGap(this.#deps, { id: siteId, organizationId }, drafted.id)
    const site = await sites.find(drafted.siteSlug)
    if (gap === null || site === null) return
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(gapMsMax)])
    const reasked = await retryQuestions(answers, { questions: chooseRetries(gap), site, masksStored, log }, signal)
    await storeRetries(store, gap, reasked, clock.now())
    log.info({ gapId: gap.id, questions: reasked.length }, 'gap-asked-again')
  }

  async #isMerged(jobId: string): Promise<boolean> {
    const { store, openHost } = this.#deps
    const job = await getAgentJob(store.durable, jobId)
    if (job === null) return false
    const pullRequest = await refreshPullRequest({ store, openHost }, job, this.#stop.signal)
    return pullRequest?.state === 'merged'
  }
}
