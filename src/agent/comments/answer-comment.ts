import { createHmac } from 'node:crypto'
import type { CodeHost } from '../../codehost/code-host.ts'
import { type AgentJob, getAgentJob } from '../../store/agent/agent-jobs.ts'
import type { CommentAnswer, CommentAnswerChange } from '../../store/agent/comment-answers.ts'
import type { AgentRequestDeps } from '../agent-deps.ts'
import { findSiteHost } from '../jobs/job-source.ts'
import { codePath, escapeLine } from '../change/escape-line.ts'

/** Starts each of our comments, invisible to readers, so that the agent never follows its own comments. */
const markStart = '<!-- docent:answer'
const markCharsMax = 22

export function isAnswerComment(body: string): boolean {
  return body.includes(markStart)
}

/**
 * Identifies an answer by its first line. Keyed, so that no one can forge the mark in advance: the oldest comment with
 * it is ours.
 */
function markAnswer(key: Buffer, { siteId, commentId }: CommentAnswer): string {
  const name = createHmac('sha256', key)
    .update(JSON.stringify([siteId, commentId]))
    .digest('base64url')
  return `${markStart} ${name.slice(0, markCharsMax)} -->`
}

export interface AnswerCommentDeps extends Pick<AgentRequestDeps, 'store' | 'openHost'> {
  /** 32 bytes; keys the marks of answers. */
  answerKey: Buffer
}

/**
 * Answers a comment: first that the work is in progress, then, by editing the same answer, with the outcome.
 *
 * @returns The new state of the answer.
 * @throws {AppError} from the host.
 */
export async function answerComment(
  deps: AnswerCommentDeps,
  answer: CommentAnswer,
  signal: AbortSignal,
): Promise<CommentAnswerChange> {
  const { store, answerKey } = deps
  const [job, source] = await Promise.all([getAgentJob(store.durable, answer.jobId), findSiteHost(deps, answer.siteId)])
  if (job === null || source === null) return { state: 'ended' }
  const isEnded = job.status !== 'active'
  const mark = markAnswer(answerKey, answer)
  const text = isEnded ? describeEnd(job) : 'Working on it. This comment will show the result.'
  const answerId = await write(source.host, answer, { mark, body: `${mark}\n${text}` }, signal)
  return { state: isEnded ? 'ended' : 'working', answerId }
}

async function write(
  host: CodeHost,
  answer: CommentAnswer,
  { mark, body }: { mark: string; body: string },
  signal: AbortSignal,
): Promise<string> {
  const { pullRequestId: id } = answer
  const commentId = answer.answerId ?? (await findLost(host, answer, mark, signal))
  if (commentId === null) return (await host.comment({ id, body }, signal)).commentId
  await host.editComment({ id, commentId, body }, signal)
  return commentId
}

/** The comment that an earlier attempt posted without recording it, because it was killed or the reply got lost. */
async function findLost(
  host: CodeHost,
  { pullRequestId: id, attempt }: CommentAnswer,
  mark: string,
  signal: AbortSignal,
): Promise<string | null> {
  if (attempt <= 1) return null
  return (await host.findComment({ id, mark }, signal))?.commentId ?? null
}

const lineCharsMax = 700
const filesNamedMax = 10

function describeEnd(job: AgentJob): string {
  const link = job.pullRequest === null ? [] : ['', job.pullRequest.url]
  if (job.failure !== null) {
    return [`**Not done:** ${escapeLine(job.failure.message, lineCharsMax)}`, ...link].join('\n')
  }
  const named = job.changes.slice(0, filesNamedMax).map(({ path, kind }) => `- ${codePath(path)}: ${kind}`)
  const more = job.changes.length - named.length
  const files = more > 0 ? [...named, `- and ${more} more files`] : named
  const said = escapeLine(job.summary ?? job.title ?? 'The job has ended.', lineCharsMax)
  return [`**Done:** ${said}`, ...(files.length > 0 ? ['', ...files] : []), ...link].join('\n')
}
