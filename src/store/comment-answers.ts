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
    .insertInto('comment_answers')
    .values({
      site_id: answer.siteId,
      comment_id: answer.commentId,
      job_id: answer.jobId,
      pull_request_id: answer.pullRequestId,
      state: 'queued',
      attempt: 0,
      run_at: answer.createdAt,
      created_at: answer.createdAt,
    })
    .onConflict((conflict) => conflict.columns(['site_id', 'comment_id']).doNothing())
    .returning('comment_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function hasCommentAnswer(
  db: Kysely<Database>,
  { siteId, commentId }: Pick<CommentAnswer, 'siteId' | 'commentId'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('comment_answers')
    .select('job_id')
    .where('site_id', '=', siteId)
    .where('comment_id', '=', commentId)
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
    .selectFrom('comment_answers as answer')
    .innerJoin('agent_jobs as job', 'job.id', 'answer.job_id')
    .select(['answer.site_id', 'answer.comment_id'])
    .where('answer.run_at', '<=', claim.now)
    .where((where) =>
      where.or([
        where('answer.state', '=', 'queued'),
        where.and([where('answer.state', '=', 'working'), where('job.status', '!=', 'active')]),
      ]),
    )
    .orderBy('answer.run_at')
    .limit(1)
    .executeTakeFirst()
  if (found === undefined) return null
  const row = await db
    .updateTable('comment_answers')
    .set((set) => ({ attempt: set('attempt', '+', 1), run_at: claim.leaseUntil }))
    .where('site_id', '=', found.site_id)
    .where('comment_id', '=', found.comment_id)
    // Somebody else may have taken it since.
    .where('run_at', '<=', claim.now)
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
    .updateTable('comment_answers')
    .set({
      run_at: runAt,
      // What worked begins its count of tries anew.
      ...(state !== undefined && { state, attempt: 0 }),
      ...(answerId !== undefined && { answer_id: answerId }),
    })
    .where('site_id', '=', siteId)
    .where('comment_id', '=', commentId)
    .where('attempt', '=', attempt)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

function toAnswer(row: Row<'comment_answers'>): CommentAnswer {
  return {
    siteId: row.site_id,
    commentId: row.comment_id,
    jobId: row.job_id,
    pullRequestId: row.pull_request_id,
    answerId: row.answer_id,
    attempt: row.attempt,
  }
}
