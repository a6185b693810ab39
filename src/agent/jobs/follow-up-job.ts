import type { AgentJobContext } from '../../contract/agent-job.ts'
import { AppError } from '../../contract/app-error.ts'
import { addAgentJobMessage } from '../../store/agent-job-messages.ts'
import type { AgentJob, CountJob } from '../../store/agent-jobs.ts'
import type { AutomationStart } from '../../store/automation-runs.ts'
import type { NewCommentAnswer } from '../../store/comment-answers.ts'
import type { AgentRequestDeps } from '../agent-deps.ts'
import { refreshPullRequest } from '../pull-requests/refresh-pull-request.ts'
import { nameBranch } from './name-branch.ts'

/** What sending a message to a job takes. */
export type FollowUpDeps = Pick<AgentRequestDeps, 'store' | 'clock' | 'ids' | 'openHost' | 'wakeWorker'>

export interface FollowUpInput {
  job: AgentJob
  prompt: string
  /** What the writer of the prompt has before them. */
  context?: readonly AgentJobContext[]
  /** The comment on the pull request that the message was: one that was followed before changes nothing. */
  comment?: NewCommentAnswer
  /** The run of an automation that it is sent for. */
  automation?: AutomationStart | undefined
  count: CountJob
}

/**
 * Sends a further message to a job. One that has ended goes on with its branch and its pull request; where that was
 * merged or closed, it starts anew from the current state of the branch that it works from.
 *
 * @throws {AppError} `job_archived`, `no_repository`, and what `count` throws; nothing was written or counted then.
 */
export async function followUpJob(deps: FollowUpDeps, input: FollowUpInput, signal: AbortSignal): Promise<AgentJob> {
  const { job, prompt, count, context = [], comment } = input
  if (job.archivedAt !== null) throw archived(job)
  const pullRequest = await refreshPullRequest(deps, job, signal)
  const isOver = pullRequest !== null && pullRequest.state !== 'open'
  const restart = isOver ? { branch: nameBranch(prompt, deps.ids.ulid()), pullRequest: null } : {}
  const createdAt = deps.clock.now()
  const message = {
    jobId: job.id,
    prompt,
    context,
    createdAt,
    ...(comment && { comment }),
    automation: input.automation,
    ...restart,
  }
  const followed = await addAgentJobMessage(deps.store.durable, message, count)
  if (followed === null) throw archived(job)
  deps.wakeWorker()
  return followed
}

function archived({ id }: AgentJob): AppError {
  return new AppError('job_archived', `The job ${id} is archived and takes no more messages. Create a new job.`)
}
