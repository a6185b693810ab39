import type { AgentFailureCode, AgentJobChange } from '../../contract/agent-job.ts'
import { readSiteSettings } from '../../contract/site-settings.ts'
import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import { UnpushableMergeError } from '../../codehost/code-host.ts'
import type { AgentJob, AgentJobPullRequest } from '../../store/agent/agent-jobs.ts'
import type { AgentDeps } from '../agent-deps.ts'
import type { JobStop } from '../rounds/job-checkpoint.ts'
import { endRound, type JobRound, noteRound, type RoundDeps } from '../rounds/job-round.ts'
import { LeaseLostError } from '../rounds/lease-lost-error.ts'
import type { RoundWork } from '../rounds/work-on-round.ts'
import { type CommittedRound, commitRound } from './commit-round.ts'
import { describeWork } from './describe-work.ts'
import { closeIfCancelled, findMerged, openPullRequest } from './open-pull-request.ts'
import { writeTitle } from './pull-request-text.ts'
import { pushRound } from './push-round.ts'

export interface DeliveredRound {
  round: JobRound
  /** `unread` if there is a new user message, `outdated` if the base has moved in conflict: the work continues. */
  outcome: 'finished' | 'unread' | 'outdated'
  /** The commit that the branch now points to; null if nothing was pushed. */
  delivered: string | null
}

/**
 * Delivers a round: commit → push → open pull request → finish. A round without changes ends without a pull request.
 *
 * @throws {LeaseLostError}
 */
export async function deliverRound(
  deps: Pick<AgentDeps, 'store' | 'clock' | 'ids' | 'scratchFolder' | 'checks'>,
  work: RoundWork,
  signal: AbortSignal,
): Promise<DeliveredRound> {
  try {
    return await deliverCommit(deps, work, await commitRound(deps, work, false, signal), signal)
  } catch (error) {
    if (!(error instanceof UnpushableMergeError)) throw error
    return deliverCommit(deps, work, await commitRound(deps, work, true, signal), signal)
  }
}

/** Pauses that a moving base can cause, each of which may cost a call of the model. */
const updatesMax = 2

async function deliverCommit(
  deps: Pick<AgentDeps, 'store' | 'clock' | 'ids' | 'checks'>,
  work: RoundWork,
  { round: worked, made, conflicts, isOutdated }: CommittedRound,
  signal: AbortSignal,
): Promise<DeliveredRound> {
  const { host, job } = work.place
  if (made === null) {
    const outcome = await finishRound(deps, worked, { delivered: null, conflicts })
    return { round: worked, outcome, delivered: null }
  }
  const merged = await findMerged(host, { branch: job.branch, commit: made.commit }, signal)
  const { gitDirectory, subdirectory } = work.workspace
  const { agentPaths: allowed, allowedSecrets } = readSiteSettings(work.place.site.settings)
  const pushing = { round: worked, host, gitDirectory, subdirectory, allowed, allowedSecrets, made }
  const pushed = merged === null ? await pushRound(deps, pushing, signal) : made
  const pullRequest = merged ?? (await openPullRequest(deps, { round: worked, host, pushed, conflicts }, signal))
  try {
    const events = describeOpening(worked, pullRequest)
    if (merged === null) await noteRound(deps, worked, { pullRequest, events })
    const changes = pushed.files.map(({ path, kind, additions, deletions }) => ({ path, kind, additions, deletions }))
    // What the work may add nothing to any more.
    const round = { ...worked, job: { ...job, pullRequest, changes } }
    const { stop, updates } = round.checkpoint
    if (merged === null && isOutdated && stop === null && updates < updatesMax) {
      return { round, outcome: 'outdated', delivered: pushed.commit }
    }
    const outcome = await finishRound(deps, round, { delivered: { pullRequest, changes }, conflicts })
    return { round, outcome, delivered: pushed.commit }
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
 * @param end.delivered Null if nothing changed.
 * @param end.conflicts Files for which the host refuses to merge the pull request.
 * @returns `unread` if there is a new user message; then the round did not end.
 * @throws {LeaseLostError}
 */
function finishRound(
  deps: RoundDeps,
  round: JobRound,
  {
    delivered,
    conflicts,
  }: {
    delivered: { pullRequest: AgentJobPullRequest; changes: AgentJobChange[] } | null
    conflicts: readonly string[]
  },
): Promise<'finished' | 'unread'> {
  const { checkpoint, job } = round
  const stop = checkpoint.stop ?? describeConflicts(job, conflicts)
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

const conflictsNamedMax = 5

/** @returns Null if there are none. */
function describeConflicts({ ref, branch }: AgentJob, conflicts: readonly string[]): JobStop | null {
  if (conflicts.length === 0) return null
  const more = conflicts.length - conflictsNamedMax
  const named = `${conflicts.slice(0, conflictsNamedMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const message = `"${ref}" has changed the same places of ${named}. Merge "${ref}" into "${branch}", resolve that and push; or send a message to have a language model try again.`
  return { code: 'conflicting', message }
}
