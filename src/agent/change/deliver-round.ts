import type { AgentFailureCode, AgentJobChange } from '../../contract/agent-job.ts'
import { readSiteSettings } from '../../contract/site-settings.ts'
import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import type { AgentJobPullRequest } from '../../store/agent/agent-jobs.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { endRound, type JobRound, noteRound, type RoundDeps } from '../rounds/job-round.ts'
import { LeaseLostError } from '../rounds/lease-lost-error.ts'
import type { RoundWork } from '../rounds/work-on-round.ts'
import { commitRound } from './commit-round.ts'
import { describeWork } from './describe-work.ts'
import { closeIfCancelled, findMerged, openPullRequest } from './open-pull-request.ts'
import { writeTitle } from './pull-request-text.ts'
import { pushRound } from './push-round.ts'

export interface DeliveredRound {
  round: JobRound
  /** `unread` if there is a new user message, so that the work continues. */
  outcome: 'finished' | 'unread'
  /** The commit that the branch now points to; null if nothing was pushed. */
  delivered: string | null
}

/**
 * Delivers a round: commit → push → open pull request → finish. A round without changes ends without a pull request.
 *
 * @throws {LeaseLostError}
 */
export async function deliverRound(
  deps: Pick<AgentDeps, 'store' | 'clock' | 'scratchFolder' | 'checks'>,
  work: RoundWork,
  signal: AbortSignal,
): Promise<DeliveredRound> {
  const { host, job } = work.place
  const { round, made } = await commitRound(deps, work, signal)
  if (made === null) return { round, outcome: await finishRound(deps, round, null), delivered: null }
  const merged = await findMerged(host, { branch: job.branch, commit: made.commit }, signal)
  const { gitDirectory, subdirectory } = work.workspace
  const allowed = readSiteSettings(work.place.site.settings).agentPaths
  const pushing = { round, host, gitDirectory, subdirectory, allowed, made }
  const pushed = merged === null ? await pushRound(deps, pushing, signal) : made
  const pullRequest = merged ?? (await openPullRequest(deps, { round, host, pushed }, signal))
  try {
    if (merged === null) await noteRound(deps, round, { pullRequest, events: describeOpening(round, pullRequest) })
    const changes = pushed.files.map(({ path, kind, additions, deletions }) => ({ path, kind, additions, deletions }))
    return { round, outcome: await finishRound(deps, round, { pullRequest, changes }), delivered: pushed.commit }
  } catch (error) {
    if (error instanceof LeaseLostError) await closeIfCancelled(deps, { job, host, opened: pullRequest }, signal)
    throw error
  }
}

/** None for a pull request that the job had before. */
function describeOpening({ job }: JobRound, { id, url, isDraft }: AgentJobPullRequest): AgentJobEvent[] {
  return job.pullRequest?.id === id ? [] : [{ type: 'pull-request-opened', url, draft: isDraft }]
}

/**
 * Ends a round.
 *
 * @param delivered Null if nothing changed.
 * @returns `unread` if there is a new user message; then the round did not end.
 * @throws {LeaseLostError}
 */
function finishRound(
  deps: RoundDeps,
  round: JobRound,
  delivered: { pullRequest: AgentJobPullRequest; changes: AgentJobChange[] } | null,
): Promise<'finished' | 'unread'> {
  const { checkpoint, job } = round
  const { stop } = checkpoint
  const failure = stop && { code: stop.code satisfies AgentFailureCode, message: stop.message }
  const pullRequest = delivered?.pullRequest ?? job.pullRequest
  const prLink = pullRequest?.url ?? null
  const { title, summary } = describeWork(round)
  const event: AgentJobEvent =
    failure === null ? { type: 'job-completed', summary, prLink } : { type: 'job-failed', ...failure, prLink }
  const isEmpty = checkpoint.tools.finished === null && delivered === null
  return endRound(deps, round, {
    failure,
    title: isEmpty ? null : writeTitle(title),
    summary: isEmpty ? null : summary,
    changes: delivered?.changes ?? job.changes,
    pullRequest,
    events: [event],
  })
}
