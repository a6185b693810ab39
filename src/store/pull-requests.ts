import type { Kysely } from 'kysely'
import { getAgentJob, setAgentJobPullRequest } from './agent-jobs.ts'
import { inTransaction } from './in-transaction.ts'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'
import type { PullRequestCheckRecord } from './tables/code-hosts.ts'

export type { PullRequestCheckRecord } from './tables/code-hosts.ts'

export type PullRequestRecordState = 'open' | 'merged' | 'closed'

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
      .set((set) => ({ pullRequestCount: set('pullRequestCount', '+', 1) }))
      .where('id', '=', input.repositoryId)
      .returning('pullRequestCount as number')
      .executeTakeFirstOrThrow()
    // The row of the repository is locked by now, so that nobody opens another one meanwhile.
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
    await transaction.insertInto('pullRequests').values(toRow(record)).execute()
    return { record, isNew: true }
  })
}

export async function getPullRequest(db: Kysely<Database>, id: string): Promise<PullRequestRecord | null> {
  const row = await db.selectFrom('pullRequests').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** By its address. */
export async function findPullRequestBySecret(
  db: Kysely<Database>,
  secret: string,
  number: number,
): Promise<PullRequestRecord | null> {
  const row = await db
    .selectFrom('pullRequests')
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
    .selectFrom('pullRequests')
    .selectAll()
    .where('repositoryId', '=', repositoryId)
    .where('headBranch', '=', branch)
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
    .selectFrom('pullRequests')
    .selectAll()
    .where('repositoryId', 'in', (select) =>
      select.selectFrom('repositories').select('repositories.id').where('organizationId', '=', organizationId),
    )
  if (repositoryId !== undefined) query = query.where('repositoryId', '=', repositoryId)
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
    .selectFrom('pullRequests')
    .selectAll()
    .where('repositoryId', '=', repositoryId)
    .where('state', '=', 'open')
    .orderBy('number')
    .execute()
  return rows.map(toRecord)
}

export async function updatePullRequest(db: Kysely<Database>, id: string, change: PullRequestChange): Promise<void> {
  const { title, body, isDraft, checks, headCommit, baseCommit, updatedAt } = change
  await db
    .updateTable('pullRequests')
    .set({
      ...(title === undefined ? {} : { title }),
      ...(body === undefined ? {} : { body }),
      ...(isDraft === undefined ? {} : { isDraft }),
      ...(checks === undefined ? {} : { checks }),
      ...(headCommit === undefined ? {} : { headCommit }),
      ...(baseCommit === undefined ? {} : { baseCommit }),
      updatedAt,
    })
    .where('id', '=', id)
    .execute()
}

/** Ends an open one, for its job too. @returns Whether this call ended it: of several that try at once, one does. */
export function endPullRequest(db: Kysely<Database>, id: string, end: PullRequestEnd): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const ended = await transaction
      .updateTable('pullRequests')
      .set({
        state: end.state,
        headCommit: end.headCommit,
        baseCommit: end.baseCommit,
        mergeCommit: end.mergeCommit,
        endedAt: end.endedAt,
        endedBy: end.endedBy,
        updatedAt: end.endedAt,
      })
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

/** Writes down who merged it, where somebody who looked meanwhile has written the end without knowing. */
export async function nameMerger(db: Kysely<Database>, id: string, endedBy: string): Promise<void> {
  await db.updateTable('pullRequests').set({ endedBy }).where('id', '=', id).execute()
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
  await db.insertInto('pullRequestComments').values({ id, pullRequestId, author, body, createdAt }).execute()
}

/** Replaces the text of a comment. @returns Whether the pull request has such a comment. */
export async function updateComment(
  db: Kysely<Database>,
  { id, pullRequestId }: Pick<PullRequestComment, 'id' | 'pullRequestId'>,
  body: string,
): Promise<boolean> {
  const result = await db
    .updateTable('pullRequestComments')
    .set({ body })
    .where('id', '=', id)
    .where('pullRequestId', '=', pullRequestId)
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
    .selectFrom('pullRequestComments')
    .selectAll()
    .where('pullRequestId', '=', pullRequestId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    pullRequestId: row.pullRequestId,
    author: row.author,
    body: row.body,
    createdAt: row.createdAt,
  }))
}

function toRow(record: PullRequestRecord): Row<'pullRequests'> {
  return {
    id: record.id,
    repositoryId: record.repositoryId,
    number: record.number,
    secret: record.secret,
    jobId: record.jobId,
    title: record.title,
    body: record.body,
    isDraft: record.isDraft,
    state: record.state,
    headBranch: record.headBranch,
    headCommit: record.headCommit,
    baseBranch: record.baseBranch,
    baseCommit: record.baseCommit,
    mergeCommit: record.mergeCommit,
    checks: record.checks,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    endedAt: record.endedAt,
    endedBy: record.endedBy,
  }
}

function toRecord(row: Row<'pullRequests'>): PullRequestRecord {
  return {
    id: row.id,
    repositoryId: row.repositoryId,
    number: row.number,
    secret: row.secret,
    jobId: row.jobId,
    title: row.title,
    body: row.body,
    isDraft: row.isDraft,
    state: row.state,
    headBranch: row.headBranch,
    headCommit: row.headCommit,
    baseBranch: row.baseBranch,
    baseCommit: row.baseCommit,
    mergeCommit: row.mergeCommit,
    checks: row.checks,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    endedAt: row.endedAt,
    endedBy: row.endedBy,
  }
}
