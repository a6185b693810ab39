import { createJob } from '../agent/jobs/create-job.ts'
import { refreshPullRequest } from '../agent/jobs/refresh-pull-request.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import { isOffline } from '../assistant/answer-models.ts'
import type { AnswerDeps } from '../assistant/answer-question.ts'
import { retryQuestions } from '../assistant/retry-questions.ts'
import { isRecent } from '../base/is-recent.ts'
import { agentJobCreateSchema } from '../contract/agent-job.ts'
import { readSiteSettings } from '../contract/site-settings.ts'
import type { ClusterThread } from '../insights/cluster-thread.ts'
import { draftGapJob } from '../insights/draft-gap-job.ts'
import { findGap, findGaps, type FoundGap } from '../insights/find-gaps.ts'
import { linkGap } from '../insights/link-gap.ts'
import { chooseRetries, storeRetries } from '../insights/retry-gap.ts'
import { getProject } from '../store/accounts/projects.ts'
import { type AgentJob, type CountJob, getAgentJob } from '../store/agent/agent-jobs.ts'
import {
  countReaders,
  countRuledGaps,
  type DraftedGap,
  type EndedGap,
  listDraftedGaps,
  listEndedGaps,
  restoreGap,
  touchGap,
} from '../store/answers/gaps.ts'
import { listSites, type Site } from '../store/sites/sites.ts'
import { LeaseHeldError, withLease } from '../store/with-lease.ts'
import { dayMs } from '../base/durations.ts'

export interface GapWorkerDeps extends AgentDeps {
  clusters: ClusterThread
  answers: AnswerDeps
  countJob(projectId: string): CountJob
  masksStored: boolean
}

const roundMs = 60_000
/** After the start: what a process that was killed has left need not wait for a whole round. */
const firstRoundMs = 2_000
const gapsAtOnce = 5
const endedMax = 500
const sitesMax = 1_000
/** For all questions of one gap together. */
const gapMsMax = 180_000
/** Grouping the questions of a site takes seconds. */
const ruleEveryMs = 10 * 60_000

/**
 * Moves gaps on: a rule of their site starts a job; a job that came to nothing puts its gap back; once its pull request
 * is merged and the site has been indexed since, the questions are asked again. If there is nothing to do, a round is a
 * few small queries.
 */
export class GapWorker {
  readonly #deps: GapWorkerDeps
  readonly #stop = new AbortController()
  /** When the rule of a site was last applied. */
  readonly #ruledAt = new Map<string, number>()
  #timer: NodeJS.Timeout | null = null
  #round: Promise<void> = Promise.resolve()

  constructor(deps: GapWorkerDeps) {
    this.#deps = deps
  }

  start(): void {
    if (this.#timer !== null) return
    this.#timer = setInterval(() => this.wake(), roundMs).unref()
    setTimeout(() => this.wake(), firstRoundMs).unref()
  }

  /** An index was published: runs a round now if the worker is started. */
  wake(): void {
    if (this.#timer === null || this.#stop.signal.aborted) return
    this.#round = this.#round.then(() => this.runRound())
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#round
  }

  /** Never rejects: failures are retried in the next round. */
  async runRound(): Promise<void> {
    const { store, log } = this.#deps
    try {
      for (const gap of await listEndedGaps(store.durable, endedMax)) await this.#putBack(gap)
      const states = (await this.#isFree()) ? (['drafted', 'fixed'] as const) : (['drafted'] as const)
      for (const gap of await listDraftedGaps(store.durable, states, gapsAtOnce)) {
        if (this.#stop.signal.aborted) return
        await this.#retry(gap)
      }
      const { items } = await listSites(store.durable, { limit: sitesMax, cursor: null })
      for (const site of items) if (!this.#stop.signal.aborted) await this.#applyRule(site)
    } catch (error) {
      log.warn({ error }, 'gap-round-failed')
    }
  }

  /** Whether asking again costs nothing, so that closed gaps can be checked with every new index. */
  async #isFree(): Promise<boolean> {
    return isOffline((await this.#deps.answers.models()).answering)
  }

  async #putBack(gap: EndedGap): Promise<void> {
    const { store, clock } = this.#deps
    const failure = describeFruitless(gap)
    if (failure !== null) await restoreGap(store.durable, gap, { failure, updatedAt: clock.now() })
  }

  async #retry(drafted: DraftedGap): Promise<void> {
    const { log } = this.#deps
    const lease = { name: `gap-retry:${drafted.id}`, waitMsMax: 0, signal: this.#stop.signal }
    await withLease(this.#deps, lease, (signal) => this.#askAgain(drafted, signal)).catch(async (error: unknown) => {
      if (error instanceof LeaseHeldError || this.#stop.signal.aborted) return
      log.warn({ error, gapId: drafted.id }, 'gap-retry-failed')
      await this.#passOver(drafted)
    })
  }

  /** Until there is another index. Not before the questions were asked, because a process that is killed would leave them. */
  async #passOver(drafted: DraftedGap): Promise<void> {
    const { store, clock } = this.#deps
    await touchGap(store.durable, drafted, clock.now())
  }

  async #askAgain(drafted: DraftedGap, held: AbortSignal): Promise<void> {
    const { store, clock, sites, answers, masksStored, log } = this.#deps
    const isMerged = drafted.state === 'fixed' || (await this.#isMerged(drafted.jobId))
    if (!isMerged) return this.#passOver(drafted)
    const site = await sites.find(drafted.siteSlug)
    if (site === null) return this.#passOver(drafted)
    const { siteId, organizationId } = drafted
    const gap = await findGap(this.#deps, { id: siteId, organizationId }, drafted.id)
    if (gap === null) return this.#passOver(drafted)
    // Another worker has asked in the meantime.
    if (gap.updatedAt !== drafted.updatedAt) return
    const signal = AbortSignal.any([held, AbortSignal.timeout(gapMsMax)])
    const retried = await retryQuestions(answers, { questions: chooseRetries(gap), site, masksStored, log }, signal)
    await storeRetries(store, gap, { retried, commit: site.commit, isMerged, now: clock.now() })
    log.info({ gapId: gap.id, questions: retried.length }, 'gap-asked-again')
  }

  async #isMerged(jobId: string): Promise<boolean> {
    const { store, openHost } = this.#deps
    const job = await getAgentJob(store.durable, jobId)
    if (job === null) return false
    const pullRequest = await refreshPullRequest({ store, openHost }, job, this.#stop.signal)
    return pullRequest?.state === 'merged'
  }

  async #applyRule(site: Site): Promise<void> {
    const { clock, log } = this.#deps
    const { gapJobReaders, gapJobsPerDay } = readSiteSettings(site.settings)
    const last = this.#ruledAt.get(site.id)
    if (gapJobReaders === null || (last !== undefined && isRecent(last, ruleEveryMs, clock.now()))) return
    this.#ruledAt.set(site.id, clock.now())
    const rule = { readersMin: gapJobReaders, dailyMax: gapJobsPerDay }
    const lease = { name: `gap-rule:${site.id}`, waitMsMax: 0, signal: this.#stop.signal }
    await withLease(this.#deps, lease, (signal) => this.#startJobs(site, rule, signal)).catch((error: unknown) => {
      // Its holder may have been killed before it started the jobs: the next round looks again.
      if (error instanceof LeaseHeldError) this.#ruledAt.delete(site.id)
      else log.warn({ error, siteId: site.id }, 'gap-rule-failed')
    })
  }

  async #startJobs(site: Site, rule: { readersMin: number; dailyMax: number }, signal: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#deps
    const today = Math.floor(clock.now() / dayMs) * dayMs
    let left = rule.dailyMax - (await countRuledGaps(store.durable, site.id, today))
    const project = left > 0 ? await getProject(store.durable, site.projectId) : null
    if (project === null) return
    for (const gap of await findGaps(this.#deps, { id: site.id, organizationId: project.organizationId })) {
      if (left <= 0 || signal.aborted) return
      // One that had a job already waits for people.
      if (gap.state !== 'open' || gap.jobId !== null) continue
      const threads = gap.asked.map(({ answer }) => answer.threadId)
      if ((await countReaders(store.durable, site.id, [...new Set(threads)])) < rule.readersMin) continue
      const job = await this.#startJob(site, gap, signal)
      log.info({ gapId: gap.id, jobId: job.id }, 'gap-job-started-by-rule')
      left--
    }
  }

  async #startJob(site: Site, gap: FoundGap, signal: AbortSignal): Promise<AgentJob> {
    const request = agentJobCreateSchema.parse({ prompt: draftGapJob(gap), site: site.id, draft: true })
    const count = linkGap(this.#deps, gap.id, this.#deps.countJob(site.projectId), true)
    const input = { projectId: site.projectId, request, idempotencyKey: null, count }
    return (await createJob(this.#deps, input, signal)).job
  }
}

/** @returns Null while its pull request may still be merged, or has been. */
function describeFruitless({ status, failureMessage, pullRequest }: EndedGap): string | null {
  if (pullRequest?.state === 'closed') return 'Its pull request was closed without being merged.'
  if (pullRequest !== null) return null
  if (status === 'failed') return `Its job failed: ${failureMessage ?? 'no reason was given.'}`
  return 'Its job ended without a change.'
}
