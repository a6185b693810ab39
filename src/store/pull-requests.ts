import type { Kysely } from 'kysely'
import { getAgentJob, setAgentJobPullRequest } from './agent-jobs.ts'
import { inTransaction } from './in-transaction.ts'
import { parseItems } from './json-column.ts'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'

export type PullRequestRecordState = 'open' | 'merged' | 'closed'

export interface PullRequestCheckRecord {
  name: string
  state: 'passed' | 'warning' | 'failed'
  summary: string
}

/** A pull request of the built-in host. */
export interface PullRequestRecord {
  id: string
  repositoryId: string
  /** Counts from 1 within the repository. */
  number: number
  /** The part of its address that cannot be guessed. */
  secret: string
  /** The job that wrote it; null for one that a person opened. */
  jobId: string | null
  title: string
  /** Markdown. */
  body: string
  isDraft: boolean
  state: PullRequestRecordState
  headBranch: string
  /** What the branches named when the record was last written: at the end of the pull request, what it was about. */
  headCommit: string
  baseBranch: string
  baseCommit: string
  /** Null unless merged. */
  mergeCommit: string | null
  checks: PullRequestCheckRecord[]
  createdAt: number
  updatedAt: number
  endedAt: number | null
  /** Who merged or closed it, for people. */
  endedBy: string | null
}

export type NewPullRequest = Omit<PullRequestRecord, 'number' | 'state' | 'mergeCommit' | 'endedAt' | 'endedBy'>

/** What may change while it is open, and its texts after the end too. */
export type PullRequestChange = Partial<
  Pick<PullRequestRecord, 'title' | 'body' | 'isDraft' | 'checks' | 'headCommit' | 'baseCommit'>
> & { updatedAt: number }

export type PullRequestEnd = Pick<PullRequestRecord, 'headCommit' | 'baseCommit' | 'mergeCommit'> & {
  state: 'merged' | 'closed'
  endedAt: number
  endedBy: string
}

/**
 * Inserts it with the next number of its repository.
 *
 * @returns The open pull request of that branch: this one, or the one that was there before.
 */
export function insertPullRequest(
  db: Kysely<Database>,
  input: NewPullRequest,
): Promise<{ record: PullRequestRecord; isNew: boolean }> {
  return inTransaction(db, async (transaction) => {
    const { number } = await transaction
      .updateTable('repositories')
      .set((set) => ({ pull_request_count: set('pull_request_count', '+', 1) }))
      .where('id', '=', input.repositoryId)
      .returning('pull_request_count as number')
      .executeTakeFirstOrThrow()
    // The row of the repository is locked by now, so that nobody opens another one meanwhile.
    const open = await findPullRequestOfBranch(transaction, input.repositoryId, input.headBranch)
    if (open?.state === 'open') {
      await transaction
        .updateTable('repositories')
        .set({ pull_request_count: number - 1 })
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
    await transaction.insertInto('pull_requests').values(toRow(record)).execute()
    return { record, isNew: true }
  })
}

export async function getPullRequest(db: Kysely<Database>, id: string): Promise<PullRequestRecord | null> {
  const row = await db.selectFrom('pull_requests').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** By its address. */
export async function findPullRequestBySecret(
  db: Kysely<Database>,
  secret: string,
  number: number,
): Promise<PullRequestRecord | null> {
  const row = await db
    .selectFrom('pull_requests')
    .selectAll()
    .where('secret', '=', secret)
    .where('number', '=', number)
    .executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** The open one of a branch, else the newest that ended. */
export async function findPullRequestOfBranch(
  db: Kysely<Database>,
  repositoryId: string,
  branch: string,
): Promise<PullRequestRecord | null> {
  const row = await db
    .selectFrom('pull_requests')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('head_branch', '=', branch)
    .orderBy((order) => order.case().when('state', '=', 'open').then(0).else(1).end())
    .orderBy('number', 'desc')
    .executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

export interface PullRequestsRequest extends ListRequest {
  organizationId: string
  repositoryId?: string | undefined
  state?: PullRequestRecordState | undefined
}

/** Newest first; the cursor is an id. */
export async function listPullRequests(
  db: Kysely<Database>,
  request: PullRequestsRequest,
): Promise<Listing<PullRequestRecord>> {
  const { organizationId, repositoryId, state, limit, cursor } = request
  let query = db
    .selectFrom('pull_requests')
    .selectAll()
    .where('repository_id', 'in', (select) =>
      select.selectFrom('repositories').select('repositories.id').where('organization_id', '=', organizationId),
    )
  if (repositoryId !== undefined) query = query.where('repository_id', '=', repositoryId)
  if (state !== undefined) query = query.where('state', '=', state)
  if (cursor) query = query.where('id', '<', cursor)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toRecord, (row) => row.id)
}

/** The open ones of a repository. */
export async function listOpenPullRequests(db: Kysely<Database>, repositoryId: string): Promise<PullRequestRecord[]> {
  const rows = await db
    .selectFrom('pull_requests')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('state', '=', 'open')
    .orderBy('number')
    .execute()
  return rows.map(toRecord)
}

export async function updatePullRequest(db: Kysely<Database>, id: string, change: PullRequestChange): Promise<void> {
  const { title, body, isDraft, checks, headCommit, baseCommit, updatedAt } = change
  await db
    .updateTable('pull_requests')
    .set({
      ...(title === undefined ? {} : { title }),
      ...(body === undefined ? {} : { body }),
      ...(isDraft === undefined ? {} : { is_draft: isDraft ? 1 : 0 }),
      ...(checks === undefined ? {} : { checks: JSON.stringify(checks) }),
      ...(headCommit === undefined ? {} : { head_commit: headCommit }),
      ...(baseCommit === undefined ? {} : { base_commit: baseCommit }),
      updated_at: updatedAt,
    })
    .where('id', '=', id)
    .execute()
}

/** Ends an open one, for its job too. @returns Whether this call ended it: of several that try at once, one does. */
export function endPullRequest(db: Kysely<Database>, id: string, end: PullRequestEnd): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const ended = await transaction
      .updateTable('pull_requests')
      .set({
        state: end.state,
        head_commit: end.headCommit,
        base_commit: end.baseCommit,
        merge_commit: end.mergeCommit,
        ended_at: end.endedAt,
        ended_by: end.endedBy,
        updated_at: end.endedAt,
      })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .returning('job_id')
      .executeTakeFirst()
    const job = ended?.job_id == null ? null : await getAgentJob(transaction, ended.job_id)
    if (job?.pullRequest?.id === id) {
      const pullRequest = { ...job.pullRequest, state: end.state }
      await setAgentJobPullRequest(transaction, { id: job.id, pullRequest, now: end.endedAt })
    }
    return ended !== undefined
  })
}

/** Writes down who merged it, where somebody who looked meanwhile has written the end without knowing. */
export async function nameMerger(db: Kysely<Database>, id: string, endedBy: string): Promise<void> {
  await db.updateTable('pull_requests').set({ ended_by: endedBy }).where('id', '=', id).execute()
}

export interface PullRequestComment {
  id: string
  pullRequestId: string
  /** For people. */
  author: string
  /** Markdown. */
  body: string
  createdAt: number
}

export async function insertComment(db: Kysely<Database>, comment: PullRequestComment): Promise<void> {
  const { id, pullRequestId, author, body, createdAt } = comment
  await db
    .insertInto('pull_request_comments')
    .values({ id, pull_request_id: pullRequestId, author, body, created_at: createdAt })
    .execute()
}

/** Replaces the text of a comment. @returns Whether the pull request has such a comment. */
export async function updateComment(
  db: Kysely<Database>,
  { id, pullRequestId }: Pick<PullRequestComment, 'id' | 'pullRequestId'>,
  body: string,
): Promise<boolean> {
  const result = await db
    .updateTable('pull_request_comments')
    .set({ body })
    .where('id', '=', id)
    .where('pull_request_id', '=', pullRequestId)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Oldest first, at most `limit`. */
export async function listComments(
  db: Kysely<Database>,
  pullRequestId: string,
  limit: number,
): Promise<PullRequestComment[]> {
  const rows = await db
    .selectFrom('pull_request_comments')
    .selectAll()
    .where('pull_request_id', '=', pullRequestId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    pullRequestId: row.pull_request_id,
    author: row.author,
    body: row.body,
    createdAt: row.created_at,
  }))
}

function toRow(record: PullRequestRecord): Row<'pull_requests'> {
  return {
    id: record.id,
    repository_id: record.repositoryId,
    number: record.number,
    secret: record.secret,
    job_id: record.jobId,
    title: record.title,
    body: record.body,
    is_draft: record.isDraft ? 1 : 0,
    state: record.state,
    head_branch: record.headBranch,
    head_commit: record.headCommit,
    base_branch: record.baseBranch,
    base_commit: record.baseCommit,
    merge_commit: record.mergeCommit,
    checks: JSON.stringify(record.checks),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    ended_at: record.endedAt,
    ended_by: record.endedBy,
  }
}

function toRecord(row: Row<'pull_requests'>): PullRequestRecord {
  return {
    id: row.id,
    repositoryId: row.repository_id,
    number: row.number,
    secret: row.secret,
    jobId: row.job_id,
    title: row.title,
    body: row.body,
    isDraft: row.is_draft === 1,
    state: row.state,
    headBranch: row.head_branch,
    headCommit: row.head_commit,
    baseBranch: row.base_branch,
    baseCommit: row.base_commit,
    mergeCommit: row.merge_commit,
    checks: parseItems<PullRequestCheckRecord>('pull_requests.checks', row.checks),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    endedAt: row.ended_at,
    endedBy: row.ended_by,
  }
}
