import { inTransaction } from '../in-transaction.ts'
import { firstRow, hasChanged } from '../queries.ts'
import type { Db, Row } from '../schema.ts'
import { insertComment, type PullRequestComment } from './pull-requests.ts'
import { insertWebhookDelivery, type NewWebhookDelivery } from '../webhooks/webhook-deliveries.ts'

export type PullRequestThread = Row<'pullRequestThreads'>
export type PullRequestReview = Row<'pullRequestReviews'>

/** Starts a thread with its first comment. */
export function insertThread(
  db: Db,
  thread: PullRequestThread,
  comment: PullRequestComment,
  delivery: NewWebhookDelivery<object> | null = null,
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    await transaction.insertInto('pullRequestThreads').values(thread).execute()
    await insertComment(transaction, comment, delivery)
  })
}

/** Oldest first, at most `limit`. */
export function listThreads(db: Db, pullRequestId: string, limit: number): Promise<PullRequestThread[]> {
  return db
    .selectFrom('pullRequestThreads')
    .selectAll()
    .where('pullRequestId', '=', pullRequestId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export function findThread(
  db: Db,
  { id, pullRequestId }: Pick<PullRequestThread, 'id' | 'pullRequestId'>,
): Promise<PullRequestThread | null> {
  return firstRow(
    db.selectFrom('pullRequestThreads').selectAll().where('id', '=', id).where('pullRequestId', '=', pullRequestId),
  )
}

/** @param resolvedBy Display name; null to reopen. @returns Whether the pull request has the thread. */
export function resolveThread(
  db: Db,
  { id, pullRequestId }: Pick<PullRequestThread, 'id' | 'pullRequestId'>,
  resolvedBy: string | null,
): Promise<boolean> {
  return hasChanged(
    db
      .updateTable('pullRequestThreads')
      .set({ resolvedBy })
      .where('id', '=', id)
      .where('pullRequestId', '=', pullRequestId),
  )
}

/** Records that a commit applied the suggestions of comments, and resolves their threads. */
export function markSuggestionsApplied(
  db: Db,
  { comments, commit, by }: { comments: readonly PullRequestComment[]; commit: string; by: string },
): Promise<void> {
  const ids = comments.map(({ id }) => id)
  const threads = comments.flatMap(({ threadId }) => (threadId === null ? [] : [threadId]))
  return inTransaction(db, async (transaction) => {
    await transaction.updateTable('pullRequestComments').set({ appliedIn: commit }).where('id', 'in', ids).execute()
    await transaction.updateTable('pullRequestThreads').set({ resolvedBy: by }).where('id', 'in', threads).execute()
  })
}

export function insertReview(
  db: Db,
  review: PullRequestReview,
  delivery: NewWebhookDelivery<object> | null = null,
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    await transaction.insertInto('pullRequestReviews').values(review).execute()
    if (delivery !== null) await insertWebhookDelivery(transaction, delivery)
  })
}

/** The newest first, at most `limit`. */
export function listReviews(db: Db, pullRequestId: string, limit: number): Promise<PullRequestReview[]> {
  return db
    .selectFrom('pullRequestReviews')
    .selectAll()
    .where('pullRequestId', '=', pullRequestId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export type ViewedFile = Row<'pullRequestViewedFiles'>

export async function markFileViewed(db: Db, file: ViewedFile): Promise<void> {
  await db
    .insertInto('pullRequestViewedFiles')
    .values(file)
    .onConflict((conflict) => conflict.columns(['pullRequestId', 'userId', 'path']).doUpdateSet({ blob: file.blob }))
    .execute()
}

export async function unmarkFileViewed(
  db: Db,
  { pullRequestId, userId, path }: Omit<ViewedFile, 'blob'>,
): Promise<void> {
  await db
    .deleteFrom('pullRequestViewedFiles')
    .where((where) => where.and({ pullRequestId, userId, path }))
    .execute()
}

export function listViewedFiles(
  db: Db,
  { pullRequestId, userId }: Pick<ViewedFile, 'pullRequestId' | 'userId'>,
): Promise<ViewedFile[]> {
  return db
    .selectFrom('pullRequestViewedFiles')
    .selectAll()
    .where('pullRequestId', '=', pullRequestId)
    .where('userId', '=', userId)
    .execute()
}
