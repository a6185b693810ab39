import type { Kysely } from 'kysely'
import type { Database, Row } from './schema.ts'

/** A comment on a pull request that asked for something, and the comment of ours that answers it. */
export interface CommentAnswer {
  siteId: string
  /** As the host names it. */
  commentId: string
  jobId: string
  /** As the host names it. */
  pullRequestId: string
  /** The comment of ours; null until it is there. */
  answerId: string | null
  /** Counts the claims. It fences: a write with an older attempt changes nothing. */
  attempt: number
}

export type NewCommentAnswer = Pick<CommentAnswer, 'siteId' | 'commentId' | 'pullRequestId'>

/** Notes that a comment is followed. @returns False when it was noted before: then nothing more is to be done about it. */
export async function insertCommentAnswer(
  db: Kysely<Database>,
  answer: NewCommentAnswer & { jobId: string; createdAt: number },
): Promise<boolean> {
  const row = await db
    .insertInto('commentAnswers')
    .values({
      siteId: answer.siteId,
      commentId: answer.commentId,
      jobId: answer.jobId,
      pullRequestId: answer.pullRequestId,
      state: 'queued',
      attempt: 0,
      runAt: answer.createdAt,
      createdAt: answer.createdAt,
    })
    .onConflict((conflict) => conflict.columns(['siteId', 'commentId']).doNothing())
    .returning('commentId')
    .executeTakeFirst()
  return row !== undefined
}

export async function hasCommentAnswer(
  db: Kysely<Database>,
  { siteId, commentId }: Pick<CommentAnswer, 'siteId' | 'commentId'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('commentAnswers')
    .select('jobId')
    .where('siteId', '=', siteId)
    .where('commentId', '=', commentId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Takes an answer that has something to say: one that is not begun, or one whose job has ended since.
 *
 * @param claim.leaseUntil When somebody else may take it.
 */
export async function claimCommentAnswer(
  db: Kysely<Database>,
  claim: { now: number; leaseUntil: number },
): Promise<CommentAnswer | null> {
  const found = await db
    .selectFrom('commentAnswers as answer')
    .innerJoin('agentJobs as job', 'job.id', 'answer.jobId')
    .select(['answer.siteId', 'answer.commentId'])
    .where('answer.runAt', '<=', claim.now)
    .where((where) =>
      where.or([
        where('answer.state', '=', 'queued'),
        where.and([where('answer.state', '=', 'working'), where('job.status', '!=', 'active')]),
      ]),
    )
    .orderBy('answer.runAt')
    .limit(1)
    .executeTakeFirst()
  if (found === undefined) return null
  const row = await db
    .updateTable('commentAnswers')
    .set((set) => ({ attempt: set('attempt', '+', 1), runAt: claim.leaseUntil }))
    .where('siteId', '=', found.siteId)
    .where('commentId', '=', found.commentId)
    // Somebody else may have taken it since.
    .where('runAt', '<=', claim.now)
    .where('state', '!=', 'ended')
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toAnswer(row)
}

export interface CommentAnswerChange {
  state?: 'working' | 'ended'
  answerId?: string
  /** When it is looked at again. */
  runAt: number
}

/** @returns False when the claim is not the current one any more; nothing was written then. */
export async function updateCommentAnswer(
  db: Kysely<Database>,
  { siteId, commentId, attempt }: CommentAnswer,
  { state, answerId, runAt }: CommentAnswerChange,
): Promise<boolean> {
  const result = await db
    .updateTable('commentAnswers')
    .set({
      runAt,
      // What worked begins its count of tries anew.
      ...(state !== undefined && { state, attempt: 0 }),
      ...(answerId !== undefined && { answerId }),
    })
    .where('siteId', '=', siteId)
    .where('commentId', '=', commentId)
    .where('attempt', '=', attempt)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

function toAnswer(row: Row<'commentAnswers'>): CommentAnswer {
  return {
    siteId: row.siteId,
    commentId: row.commentId,
    jobId: row.jobId,
    pullRequestId: row.pullRequestId,
    answerId: row.answerId,
    attempt: row.attempt,
  }
}
