import type { Kysely } from 'kysely'
import { inTransaction } from '../in-transaction.ts'
import type { Database, Row } from '../schema.ts'
import { insertComment, type PullRequestComment } from './pull-requests.ts'
import { insertWebhookDelivery, type NewWebhookDelivery } from '../webhooks/webhook-deliveries.ts'

export type PullRequestThread = Row<'pullRequestThreads'>
export type PullRequestReview = Row<'pullRequestReviews'>

/** Starts a thread with its first comment. */
export function insertThread(
  db: Kysely<Database>,
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
export function listThreads(db: Kysely<Database>, pullRequestId: string, limit: number): Promise<PullRequestThread[]> {
  return db
    .selectFrom('pullRequestThreads')
    .selectAll()
    .where('pullRequestId', '=', pullRequestId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function findThread(
  db: Kysely<Database>,
  { id, pullRequestId }: Pick<PullRequestThread, 'id' | 'pullRequestId'>,
): Promise<PullRequestThread | null> {
  const row = await db
    .selectFrom('pullRequestThreads')
    .selectAll()
    .where('id', '=', id)
    .where('pullRequestId', '=', pullRequestId)
    .executeTakeFirst()
  return row ?? null
}

/** @param resolvedBy Display name; null to reopen. @returns Whether the pull request has the thread. */
export async function resolveThread(
  db: Kysely<Database>,
  { id, pullRequestId }: Pick<PullRequestThread, 'id' | 'pullRequestId'>,
  resolvedBy: string | null,
): Promise<boolean> {
  const result = await db
    .updateTable('pullRequestThreads')
    .set({ resolvedBy })
    .where('id', '=', id)
    .where('pullRequestId', '=', pullRequestId)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Records that a commit applied the suggestions of comments, and resolves their threads. */
export function markSuggestionsApplied(
  db: Kysely<Database>,
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
  db: Kysely<Database>,
  review: PullRequestReview,
  delivery: NewWebhookDelivery<object> | null = null,
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    await transaction.insertInto('pullRequestReviews').values(review).execute()
    if (delivery !== null) await insertWebhookDelivery(transaction, delivery)
  })
}

/** The newest first, at most `limit`. */
export function listReviews(db: Kysely<Database>, pullRequestId: string, limit: number): Promise<PullRequestReview[]> {
  return db
    .selectFrom('pullRequestReviews')
    .selectAll()
    .where('pullRequestId', '=', pullRequestId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export type ViewedFile = Row<'pullRequestViewedFiles'>

export async function markFileViewed(db: Kysely<Database>, file: ViewedFile): Promise<void> {
  await db
    .insertInto('pullRequestViewedFiles')
    .values(file)
    .onConflict((conflict) => conflict.columns(['pullRequestId', 'userId', 'path']).doUpdateSet({ blob: file.blob }))
    .execute()
}

export async function unmarkFileViewed(
  db: Kysely<Database>,
  { pullRequestId, userId, path }: Omit<ViewedFile, 'blob'>,
): Promise<void> {
  await db
    .deleteFrom('pullRequestViewedFiles')
    .where('pullRequestId', '=', pullRequestId)
    .where('userId', '=', userId)
    .where('path', '=', path)
    .execute()
}

export function listViewedFiles(
  db: Kysely<Database>,
  { pullRequestId, userId }: Pick<ViewedFile, 'pullRequestId' | 'userId'>,
): Promise<ViewedFile[]> {
  return db
    .selectFrom('pullRequestViewedFiles')
    .selectAll()
    .where('pullRequestId', '=', pullRequestId)
    .where('userId', '=', userId)
    .execute()
}
