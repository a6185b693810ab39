import type { CommentAdded } from '../../codehost/webhooks/webhook-event.ts'
import { type AgentJobContext, promptCharsMax } from '../../contract/agent-job.ts'
import { type AgentJob, type CountJob, listAgentJobsOfPullRequest } from '../../store/agent/agent-jobs.ts'
import { hasCommentAnswer } from '../../store/agent/comment-answers.ts'
import type { Site } from '../../store/sites/sites.ts'
import { type AddressedInstruction, readAddressedInstruction } from './addressed-instruction.ts'
import { isAnswerComment } from './answer-comment.ts'
import { type FollowUpDeps, followUpJob } from '../jobs/follow-up-job.ts'

export interface FollowCommentDeps extends FollowUpDeps {
  /** The name that addresses the agent in comments, without `@`. */
  agentMention: string
  /** Counts a follow-up against the limits of its project. Throws `limit_reached`. */
  countFollowUp(projectId: string): CountJob
}

/** How a webhook event was handled, with a sentence for people. */
export interface WebhookOutcome {
  state: 'done' | 'ignored'
  outcome: string
}

const contextPathCharsMax = 1_000
const contextCharsMax = 20_000

/**
 * Sends a comment that addresses the agent on a job's pull request to that job, once, if its author may write to the
 * repository. Ignores bots, so that two of them never talk to each other.
 *
 * @throws {AppError} from the host or from `followUpJob`.
 */
export async function followComment(
  deps: FollowCommentDeps,
  { site, comment }: { site: Site; comment: CommentAdded },
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  const addressed = readAddressedInstruction(comment.body, deps.agentMention)
  const reason = refuseText(deps, comment, addressed)
  if (addressed === null || reason !== null) return { state: 'ignored', outcome: reason ?? '' }
  const job = await findJob(deps, site, comment.number)
  if (job === null) return { state: 'ignored', outcome: `No job of the site ${site.slug} has this pull request.` }
  const { commentId } = comment
  if (await hasCommentAnswer(deps.store.durable, { siteId: site.id, commentId })) {
    return { state: 'done', outcome: 'The comment was handled before.' }
  }
  const host = await deps.openHost(site)
  const permission = (await host?.readPermission(comment.author, signal)) ?? 'none'
  if (permission !== 'write' && permission !== 'admin') {
    return { state: 'ignored', outcome: `${comment.author} may not write to the repository.` }
  }
  const followed = {
    job,
    prompt: addressed.instruction,
    context: readContext(comment, addressed.quoted),
    comment: { siteId: site.id, commentId, pullRequestId: job.pullRequest.id },
    count: deps.countFollowUp(job.projectId),
  }
  await followUpJob(deps, followed, signal)
  return { state: 'done', outcome: `Sent a message to the job ${job.id}.` }
}

/** Why the comment itself rules out following it; null if it does not. */
function refuseText(
  { agentMention }: Pick<FollowCommentDeps, 'agentMention'>,
  { body, isBot }: CommentAdded,
  addressed: AddressedInstruction | null,
): string | null {
  if (isBot) return 'The comment was written by a bot.'
  if (isAnswerComment(body)) return 'The comment was written by the agent.'
  if (addressed === null) return `The comment does not address @${agentMention}.`
  const { instruction } = addressed
  if (instruction === '') return 'The comment does not say what to do.'
  const isTooLong = instruction.length > promptCharsMax
  return isTooLong ? `The comment is longer than ${promptCharsMax.toLocaleString('en')} characters.` : null
}

type JobWithPullRequest = AgentJob & { pullRequest: NonNullable<AgentJob['pullRequest']> }

/** The pull request's newest job that accepts messages. */
async function findJob({ store }: Pick<FollowCommentDeps, 'store'>, { id: siteId }: Site, number: number) {
  const jobs = await listAgentJobsOfPullRequest(store.durable, { siteId, number })
  return jobs.find((job): job is JobWithPullRequest => job.archivedAt === null && job.pullRequest !== null) ?? null
}

/** The position of the comment in the diff and its quotation, which give "this" a meaning. */
function readContext({ path, line }: CommentAdded, quoted: string): AgentJobContext[] {
  const place = line === null ? 'on this file' : `on line ${line} of this file`
  const stands = { type: 'code', value: `The comment stands ${place}.` } as const
  return [
    ...(path === null ? [] : [{ ...stands, path: path.slice(0, contextPathCharsMax) }]),
    ...(quoted === '' ? [] : [{ type: 'textSelection', value: quoted.slice(0, contextCharsMax) } as const]),
  ]
}
