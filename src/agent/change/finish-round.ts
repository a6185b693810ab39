import type { AgentFailureCode, AgentJobChange } from '../../contract/agent-job.ts'
import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import type { AgentJobPullRequest } from '../../store/agent-jobs.ts'
import { endRound, type JobRound, type RoundDeps } from '../rounds/job-round.ts'
import { describeWork } from './describe-work.ts'
import { writeTitle } from './pull-request-text.ts'

/**
 * Ends a round.
 *
 * @param delivered Null if nothing changed.
 * @returns `unread` if there is a new user message; then the round did not end.
 * @throws {LeaseLostError}
 */
export function finishRound(
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
