import type { CodeHost } from '../codehost/code-host.ts'
import { type AgentJob, getAgentJob } from '../store/agent-jobs.ts'
import type { CommentAnswer, CommentAnswerChange } from '../store/comment-answers.ts'
import { getSite } from '../store/sites.ts'
import type { AgentRequestDeps } from './agent-deps.ts'
import { codePath, inertLine } from './inert-line.ts'

/** Begins every comment of ours, unseen by readers, so that none of them is ever taken for somebody else's. */
const answerMarker = '<!-- docent:answer -->'

export function isAnswerComment(body: string): boolean {
  return body.includes(answerMarker)
}

/**
 * Says to the writer of a comment how it stands: first that the work goes on, then, in the same comment, what came of
 * it.
 *
 * @returns What is to be noted about the answer.
 * @throws {AppError} what the host throws.
 */
export async function answerComment(
  { store, clock, openHost }: Pick<AgentRequestDeps, 'store' | 'clock' | 'openHost'>,
  answer: CommentAnswer,
  signal: AbortSignal,
): Promise<CommentAnswerChange> {
  const [job, site] = await Promise.all([
    getAgentJob(store.durable, answer.jobId),
    getSite(store.durable, answer.siteId),
  ])
  const host = site === null ? null : await openHost(site)
  if (job === null || host === null) return { state: 'ended', runAt: clock.now() }
  const isEnded = job.status !== 'active'
  const body = `${answerMarker}\n${isEnded ? describeEnd(job) : 'Working on it. This comment tells what came of it.'}`
  const answerId = await write(host, answer, body, signal)
  return { state: isEnded ? 'ended' : 'working', answerId, runAt: clock.now() }
}

async function write(host: CodeHost, answer: CommentAnswer, body: string, signal: AbortSignal): Promise<string> {
  const { pullRequestId: id, answerId } = answer
  if (answerId === null) return (await host.comment({ id, body }, signal)).commentId
  await host.editComment({ id, commentId: answerId, body }, signal)
  return answerId
}

const lineCharsMax = 700
const filesNamedMax = 10

function describeEnd(job: AgentJob): string {
  const link = job.pullRequest === null ? [] : ['', job.pullRequest.url]
  if (job.failure !== null) {
    return [`**Not done:** ${inertLine(job.failure.message, lineCharsMax)}`, ...link].join('\n')
  }
  const named = job.changes.slice(0, filesNamedMax).map(({ path, kind }) => `- ${codePath(path)}: ${kind}`)
  const more = job.changes.length - named.length
  const files = more > 0 ? [...named, `- and ${more} more files`] : named
  const said = inertLine(job.summary ?? job.title ?? 'The job has ended.', lineCharsMax)
  return [`**Done:** ${said}`, ...(files.length > 0 ? ['', ...files] : []), ...link].join('\n')
}
