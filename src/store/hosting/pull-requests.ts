import { getAgentJob, setAgentJobPullRequest } from '../agent/agent-jobs.ts'
import { inTransaction } from '../in-transaction.ts'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import { firstRow, hasChanged } from '../queries.ts'
import type { Db, Row } from '../schema.ts'
import { insertWebhookDelivery, type NewWebhookDelivery } from '../webhooks/webhook-deliveries.ts'

export type PullRequestRecordState = PullRequestRecord['state']

/** A pull request of the built-in host. */
export type PullRequestRecord = Row<'pullRequests'>

export type NewPullRequest = Omit<PullRequestRecord, 'number' | 'state' | 'mergeCommit' | 'endedAt' | 'endedBy'>

/** Fields that may change while it is open; title and body even after it has ended. */
export type PullRequestChange = Partial<
  Pick<PullRequestRecord, 'title' | 'body' | 'isDraft' | 'checks' | 'headCommit' | 'baseCommit'>
> & { updatedAt: number }

export type PullRequestEnd = Pick<PullRequestRecord, 'headCommit' | 'baseCommit' | 'mergeCommit'> & {
  state: 'merged' | 'closed'
  endedAt: number
  endedBy: string
}

/**
 * Inserts a pull request with the next number of its repository.
 *
 * @returns The branch's open pull request: the new one, or an existing one.
 */
export function insertPullRequest(
  db: Db,
  input: NewPullRequest,
): Promise<{ record: PullRequestRecord; isNew: boolean }> {
  return inTransaction(db, async (transaction) => {
    const { number } = await transaction
      .updateTable('repositories')
      .set((set) => ({ pullRequestCount: set('pullRequestCount', '+', 1) }))
      .where('id', '=', input.repositoryId)
      .returning('pullRequestCount as number')
      .executeTakeFirstOrThrow()
    // The repository's row is locked by now, so that nobody can open another one concurrently.
    const open = await findPullRequestOfBranch(transaction, input.repositoryId, input.headBranch)
    if (open?.state === 'open') {
      await transaction
        .updateTable('repositories')
        .set({ pullRequestCount: number - 1 })
        .where('id', '=', input.repositoryId)
        .execute()
      return { record: open, isNew: false }
    }
    const record: PullRequestRecord = {
      ...input,
      number,
      state: 'open',
      mergeCommit: null,
      endedAt: null,
      endedBy: null,
    }
    await transaction.insertInto('pullRequests').values(record).execute()
    return { record, isNew: true }
  })
}

export function getPullRequest(db: Db, id: string): Promise<PullRequestRecord | null> {
  return firstRow(db.selectFrom('pullRequests').selectAll().where('id', '=', id))
}

/** Looks up a pull request by its URL. */
export function findPullRequestBySecret(db: Db, secret: string, number: number): Promise<PullRequestRecord | null> {
  return firstRow(db.selectFrom('pullRequests').selectAll().where('secret', '=', secret).where('number', '=', number))
}

/** A branch's open pull request, or else the most recently ended one. */
export function findPullRequestOfBranch(
  db: Db,
  repositoryId: string,
  branch: string,
): Promise<PullRequestRecord | null> {
  return firstRow(
    db
      .selectFrom('pullRequests')
      .selectAll()
      .where('repositoryId', '=', repositoryId)
      .where('headBranch', '=', branch)
      .orderBy((order) => order.case().when('state', '=', 'open').then(0).else(1).end())
      .orderBy('number', 'desc'),
  )
}

export interface PullRequestsRequest extends ListRequest {
  organizationId: string
  repositoryId?: string | undefined
  state?: PullRequestRecordState | undefined
}

/** Newest first; the cursor is an id. */
export function listPullRequests(db: Db, request: PullRequestsRequest): Promise<Listing<PullRequestRecord>> {
  const { organizationId, repositoryId, state } = request
  let query = db
    .selectFrom('pullRequests')
    .selectAll()
    .where('repositoryId', 'in', (select) =>
      select.selectFrom('repositories').select('repositories.id').where('organizationId', '=', organizationId),
    )
  if (repositoryId !== undefined) query = query.where('repositoryId', '=', repositoryId)
  if (state !== undefined) query = query.where('state', '=', state)
  return listById(query, request, 'desc')
}

export function listOpenPullRequests(db: Db, repositoryId: string): Promise<PullRequestRecord[]> {
  return db
    .selectFrom('pullRequests')
    .selectAll()
    .where('repositoryId', '=', repositoryId)
    .where('state', '=', 'open')
    .orderBy('number')
    .execute()
}

export async function updatePullRequest(db: Db, id: string, change: PullRequestChange): Promise<void> {
  await db.updateTable('pullRequests').set(change).where('id', '=', id).execute()
}

/**
 * Ends an open pull request and updates its job. @returns Whether this call ended it: of several concurrent calls, one
 * does.
 */
export function endPullRequest(db: Db, id: string, end: PullRequestEnd): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const ended = await transaction
      .updateTable('pullRequests')
      .set({ ...end, updatedAt: end.endedAt })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .returning('jobId')
      .executeTakeFirst()
    const job = ended?.jobId == null ? null : await getAgentJob(transaction, ended.jobId)
    if (job?.pullRequest?.id === id) {
      const pullRequest = { ...job.pullRequest, state: end.state }
      await setAgentJobPullRequest(transaction, { id: job.id, pullRequest, now: end.endedAt })
    }
    return ended !== undefined
  })
}

/** Opens a closed pull request again. @returns Whether it was closed, and no other one of its branch is open. */
export function reopenPullRequest(db: Db, id: string, now: number): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const closed = await getPullRequest(transaction, id)
    if (closed?.state !== 'closed') return false
    const newest = await findPullRequestOfBranch(transaction, closed.repositoryId, closed.headBranch)
    if (newest?.state === 'open') return false
    const change = { state: 'open' as const, endedAt: null, endedBy: null, updatedAt: now }
    await transaction.updateTable('pullRequests').set(change).where('id', '=', id).execute()
    const job = closed.jobId === null ? null : await getAgentJob(transaction, closed.jobId)
    if (job?.pullRequest?.id === id) {
      const pullRequest = { ...job.pullRequest, state: 'open' as const }
      await setAgentJobPullRequest(transaction, { id: job.id, pullRequest, now })
    }
    return true
  })
}

/** Sets who merged it, after a concurrent check recorded the merge without knowing. */
export async function nameMerger(db: Db, id: string, endedBy: string): Promise<void> {
  await db.updateTable('pullRequests').set({ endedBy }).where('id', '=', id).execute()
}

export type PullRequestComment = Row<'pullRequestComments'>

/** @param delivery Reports the comment to the agent; null if it need not know of it. */
export function insertComment(
  db: Db,
  comment: PullRequestComment,
  delivery: NewWebhookDelivery<object> | null = null,
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    await transaction.insertInto('pullRequestComments').values(comment).execute()
    if (delivery !== null) await insertWebhookDelivery(transaction, delivery)
  })
}

/** Replaces a comment's text. @returns Whether the pull request has such a comment. */
export function updateComment(
  db: Db,
  { id, pullRequestId }: Pick<PullRequestComment, 'id' | 'pullRequestId'>,
  change: Pick<PullRequestComment, 'body'> & Partial<Pick<PullRequestComment, 'editedAt'>>,
): Promise<boolean> {
  return hasChanged(
    db.updateTable('pullRequestComments').set(change).where('id', '=', id).where('pullRequestId', '=', pullRequestId),
  )
}

export function findComment(
  db: Db,
  { id, pullRequestId }: Pick<PullRequestComment, 'id' | 'pullRequestId'>,
): Promise<PullRequestComment | null> {
  return firstRow(
    db.selectFrom('pullRequestComments').selectAll().where('id', '=', id).where('pullRequestId', '=', pullRequestId),
  )
}

/** Deletes a comment, and its thread with the last one. */
export function deleteComment(db: Db, { id, threadId }: Pick<PullRequestComment, 'id' | 'threadId'>): Promise<void> {
  return inTransaction(db, async (transaction) => {
    await transaction.deleteFrom('pullRequestComments').where('id', '=', id).execute()
    if (threadId === null) return
    await transaction
      .deleteFrom('pullRequestThreads')
      .where('id', '=', threadId)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('pullRequestComments').select('id').where('threadId', '=', threadId))),
      )
      .execute()
  })
}

/** Oldest first, at most `limit`. */
export function listComments(db: Db, pullRequestId: string, limit: number): Promise<PullRequestComment[]> {
  return db
    .selectFrom('pullRequestComments')
    .selectAll()
    .where('pullRequestId', '=', pullRequestId)
    .orderBy('id')
    .limit(limit)
    .execute()
}
