import type { AgentJobChange } from '../../contract/agent-job.ts'
import type { FileDiff } from '../../git/diff-commits.ts'
import type { AgentDeps } from '../agent-deps.ts'
import type { JobRound } from '../rounds/job-round.ts'
import { LeaseLostError } from '../rounds/lease-lost-error.ts'
import type { RoundWork } from '../rounds/work-on-round.ts'
import { commitRound } from './commit-round.ts'
import { finishRound } from './finish-round.ts'
import { closeIfCancelled, findMerged, openPullRequest } from './open-pull-request.ts'
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
  deps: Pick<AgentDeps, 'store' | 'clock' | 'scratchFolder'>,
  work: RoundWork,
  signal: AbortSignal,
): Promise<DeliveredRound> {
  const { host, job } = work.place
  const { round, made } = await commitRound(deps, work, signal)
  if (made === null) return { round, outcome: await finishRound(deps, round, null), delivered: null }
  const merged = await findMerged(host, { branch: job.branch, commit: made.commit }, signal)
  const { gitDirectory } = work.workspace
  const pushed = merged === null ? await pushRound(deps, { round, host, gitDirectory, made }, signal) : made
  const pullRequest = merged ?? (await openPullRequest(deps, { round, host, pushed }, signal))
  try {
    const changes = pushed.files.map(toChange)
    return { round, outcome: await finishRound(deps, round, { pullRequest, changes }), delivered: pushed.commit }
  } catch (error) {
    if (error instanceof LeaseLostError) await closeIfCancelled(deps, { job, host, opened: pullRequest }, signal)
    throw error
  }
}

function toChange({ path, kind, additions, deletions }: FileDiff): AgentJobChange {
  return { path, kind, additions, deletions }
}
