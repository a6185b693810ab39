import type { AgentJobContext } from '../../contract/agent-job.ts'
import { AppError } from '../../contract/app-error.ts'
import { addAgentJobMessage } from '../../store/agent/agent-job-messages.ts'
import type { AgentJob, CountJob } from '../../store/agent/agent-jobs.ts'
import type { AutomationStart } from '../../store/agent/automation-runs.ts'
import type { NewCommentAnswer } from '../../store/agent/comment-answers.ts'
import type { AgentRequestDeps } from '../agent-deps.ts'
import { refreshPullRequest } from './refresh-pull-request.ts'
import { nameBranch } from './name-branch.ts'

/** What `followUpJob` uses. */
export type FollowUpDeps = Pick<AgentRequestDeps, 'store' | 'clock' | 'ids' | 'openHost' | 'wakeWorker'>

export interface FollowUpInput {
  job: AgentJob
  prompt: string
  /** What the author of the prompt is looking at. */
  context?: readonly AgentJobContext[]
  /** The pull-request comment that the message comes from. A comment that was followed before changes nothing. */
  comment?: NewCommentAnswer
  /** The owner who lets the job delete from now on. */
  deletionsAllowedBy?: string
  /** The automation run that sends it. */
  automation?: AutomationStart | undefined
  count: CountJob
}

/**
 * Sends another message to a job. A job that has ended continues on its branch and pull request; if that was merged or
 * closed, it starts again from the current tip of its base branch.
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
    ...(input.deletionsAllowedBy !== undefined && { deletionsAllowedBy: input.deletionsAllowedBy }),
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
