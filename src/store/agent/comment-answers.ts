import { hasRow } from '../queries.ts'
import { type Claim, claimNext, type ClaimTimes, finishClaim, releaseClaim, unclaimed } from '../queue.ts'
import type { Db, Row } from '../schema.ts'

/** A pull request comment addressed to the agent, and the agent's reply. */
export type CommentAnswer = Row<'commentAnswers'>

export type NewCommentAnswer = Pick<CommentAnswer, 'siteId' | 'commentId' | 'pullRequestId'>

/** Records that a comment is being followed. @returns False if it already was: do nothing then. */
export function insertCommentAnswer(
  db: Db,
  answer: NewCommentAnswer & { jobId: string; createdAt: number },
): Promise<boolean> {
  const { siteId, commentId, pullRequestId, jobId, createdAt } = answer
  return hasRow(
    db
      .insertInto('commentAnswers')
      .values({
        id: idOf(answer),
        siteId,
        commentId,
        jobId,
        pullRequestId,
        state: 'queued',
        ...unclaimed(createdAt),
        createdAt,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id'),
  )
}

export function hasCommentAnswer(db: Db, comment: Pick<CommentAnswer, 'siteId' | 'commentId'>): Promise<boolean> {
  return hasRow(db.selectFrom('commentAnswers').select('id').where('id', '=', idOf(comment)))
}

/** Claims an answer that can progress: one not yet started, or one whose job has ended. */
export function claimCommentAnswer(db: Db, times: ClaimTimes): Promise<CommentAnswer | null> {
  const activeJobs = db.selectFrom('agentJobs').select('id').where('status', '=', 'active')
  return claimNext(db, 'commentAnswers', times, {
    narrow: (query) =>
      query.where((where) =>
        where.or([where('queued.state', '=', 'queued'), where('queued.jobId', 'not in', activeJobs)]),
      ),
  })
}

export interface CommentAnswerChange {
  state: 'working' | 'ended'
  answerId?: string
}

/** Records how a comment was handled. @returns False if the claim was lost; nothing was written then. */
export async function updateCommentAnswer(
  db: Db,
  claim: Claim,
  { state, answerId }: CommentAnswerChange,
  now: number,
): Promise<boolean> {
  // Success resets the attempts.
  const change = { state, attempt: 0, ...(answerId !== undefined && { answerId }) }
  if (state === 'ended') return (await finishClaim(db, 'commentAnswers', claim, change)) !== null
  return releaseClaim(db, 'commentAnswers', claim, now, change)
}

function idOf({ siteId, commentId }: Pick<CommentAnswer, 'siteId' | 'commentId'>): string {
  return `${siteId}/${commentId}`
}
