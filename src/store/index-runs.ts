import { isDue, leaseMsMax } from './is-due.ts'
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { announceSyncFailure } from './announce-changes.ts'
import { inTransaction } from './in-transaction.ts'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'

/** One build of a site's index. The row is the queue: a worker holds a lease on it while it builds. */
export interface IndexRun {
  id: string
  siteId: string
  state: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Kebab-case: `site-created`, `sync-requested`, `source-changed`. */
  cause: string
  /** Counts the claims. It fences: a write with an older attempt changes nothing. */
  attempt: number
  leaseOwner: string | null
  leaseUntil: number | null
  /** A sentence, on failed runs. */
  failure: string | null
  /** What the source held when the run looked at it; null until it has. */
  revision: string | null
  /** How far it is; null before it begins. Kept when it has ended. */
  progress: IndexRunProgress | null
  createdAt: number
  startedAt: number | null
  finishedAt: number | null
}

export interface IndexRunProgress {
  step: 'fetching' | 'reading' | 'building' | 'publishing'
  /** Pages that were read, and that there are; 0 of 0 while nobody knows. */
  pagesDone: number
  pagesTotal: number
}

export interface NewIndexRun {
  id: string
  siteId: string
  cause: string
  createdAt: number
}

/** The index that is served is damaged or gone: its site waits, so that its run comes before all others. */
export const damageCause = 'index-unreadable'

/** Causes that build the index again although the source is the same. */
const rebuildCauses = [damageCause, 'source-replaced'] as const

export function isDamageRepair({ cause }: Pick<IndexRun, 'cause'>): boolean {
  return cause === damageCause
}

/** Whether a run builds the index again although the source is the same. */
export function isRebuild({ cause }: Pick<IndexRun, 'cause'>): boolean {
  return rebuildCauses.some((rebuild) => rebuild === cause)
}

/** The sites that are crawled, or the ones whose source is at hand. */
export type IndexRunLane = 'crawled' | 'at-hand'

interface RunChoice {
  lane?: IndexRunLane
  siteIds?: readonly string[]
}

/** Names one claim of a run. */
export interface IndexRunClaim {
  id: string
  attempt: number
}

/**
 * Queues a run. A run of the site that is queued already is returned instead, because it will see the same source;
 * one that is running is not, because it may have read the source before the change. A rebuild makes the waiting run
 * one as well.
 *
 * @returns The run that will do the work; it carries the given id when it is new.
 */
export async function enqueueIndexRun(db: Kysely<Database>, run: NewIndexRun): Promise<IndexRun> {
  const row = await db
    .insertInto('indexRuns')
    .values({
      id: run.id,
      siteId: run.siteId,
      state: 'queued',
      cause: run.cause,
      attempt: 0,
      createdAt: run.createdAt,
    })
    .onConflict((conflict) =>
      conflict
        .column('siteId')
        .where('state', '=', sql.lit('queued'))
        // An update in any case, because that makes the row that was there a returned one, in the same statement.
        .doUpdateSet((set) => ({
          cause: isRebuild(run) ? set.ref('excluded.cause') : set.ref('indexRuns.cause'),
        })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  return toIndexRun(row)
}

/**
 * Takes the oldest run that is queued, or whose lease has lapsed; repairs of damaged indexes come first. No two callers get the same attempt, and a site has
 * at most one running run.
 *
 * @param claim.lane Which sites: a crawl waits between its requests for minutes and hours, so that the runs of other
 *   sites must not wait behind it. Both without it.
 * @param claim.siteIds The sites whose runs may be taken; all without it.
 * @param claim.leaseUntil When the claim lapses unless `renewIndexRunLease` moves it.
 * @returns The run with its new attempt, or null when there is nothing to do.
 */
export async function claimIndexRun(
  db: Kysely<Database>,
  claim: { owner: string; now: number; leaseUntil: number } & RunChoice,
): Promise<IndexRun | null> {
  const row = await db
    .updateTable('indexRuns')
    .set((set) => ({
      state: 'running',
      attempt: set('attempt', '+', 1),
      leaseOwner: claim.owner,
      leaseUntil: claim.leaseUntil,
      startedAt: set.fn.coalesce('startedAt', set.val(claim.now)),
    }))
    .where('id', '=', claimableRun(db, claim))
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toIndexRun(row)
}

/** SQLite runs one writing statement at a time; PostgreSQL skips rows that another claim has locked. */
function claimableRun(db: Kysely<Database>, { now, lane, siteIds }: { now: number } & RunChoice) {
  const query = db
    .selectFrom('indexRuns as run')
    .select('run.id')
    .where((where) =>
      where.or([
        where.and([where('run.state', '=', 'running'), isDue('run.leaseUntil', now, leaseMsMax)]),
        where.and([
          where('run.state', '=', 'queued'),
          where.not(
            where.exists(
              where
                .selectFrom('indexRuns as other')
                .select('other.id')
                .whereRef('other.siteId', '=', 'run.siteId')
                .where('other.state', '=', 'running'),
            ),
          ),
        ]),
      ]),
    )
    .orderBy((order) => order.case().when('run.cause', '=', damageCause).then(0).else(1).end())
    .orderBy('run.createdAt')
    .orderBy('run.id')
    .limit(1)
  const inLane =
    lane === undefined
      ? query
      : query.where('run.siteId', 'in', (select) =>
          select
            .selectFrom('sites')
            .select('sites.id')
            .where('isCrawled', '=', lane === 'crawled'),
        )
  const chosen = siteIds === undefined ? inLane : inLane.where('run.siteId', 'in', siteIds)
  return db.getExecutor().adapter instanceof PostgresAdapter ? chosen.forUpdate().skipLocked() : chosen
}

/**
 * Moves the end of the lease. To hand a run back, as on shutdown, move it to now.
 *
 * @returns False when the claim is not the current one any more: stop the work at once.
 */
export async function renewIndexRunLease(
  db: Kysely<Database>,
  claim: IndexRunClaim & { leaseUntil: number },
): Promise<boolean> {
  const result = await db
    .updateTable('indexRuns')
    .set({ leaseUntil: claim.leaseUntil })
    .where('id', '=', claim.id)
    .where('attempt', '=', claim.attempt)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Ends the leases of every running run, so that the next claim takes them up: for the start of a process that is the
 * only one on its database, because whoever held them is dead.
 */
export async function releaseIndexRunLeases(db: Kysely<Database>, now: number): Promise<void> {
  await db.updateTable('indexRuns').set({ leaseUntil: now }).where('state', '=', 'running').execute()
}

/** Notes how far a run is. A claim that was lost notes nothing. */
export async function reportIndexRun(
  db: Kysely<Database>,
  claim: IndexRunClaim & { progress?: IndexRunProgress; revision?: string },
): Promise<void> {
  const { progress, revision } = claim
  await db
    .updateTable('indexRuns')
    .set({
      ...(progress && { step: progress.step, pagesDone: progress.pagesDone, pagesTotal: progress.pagesTotal }),
      ...(revision === undefined ? {} : { revision }),
    })
    .where('id', '=', claim.id)
    .where('attempt', '=', claim.attempt)
    .where('state', '=', 'running')
    .execute()
}

/**
 * @param end.failure A sentence for a run that failed, null for one that succeeded.
 * @returns False when the claim is not the current one any more; nothing was written then.
 */
export async function finishIndexRun(db: Kysely<Database>, end: IndexRunEnd): Promise<boolean> {
  const { id: runId, failure, finishedAt: now } = end
  if (failure === null) return (await writeEnd(db, end)) !== null
  return inTransaction(db, async (transaction) => {
    const siteId = await writeEnd(transaction, end)
    if (siteId !== null) await announceSyncFailure(transaction, { runId, siteId, failure, now })
    return siteId !== null
  })
}

type IndexRunEnd = IndexRunClaim & { failure: string | null; finishedAt: number }

/** @returns The site; null when the claim is not the current one any more. */
async function writeEnd(db: Kysely<Database>, end: IndexRunEnd): Promise<string | null> {
  const row = await db
    .updateTable('indexRuns')
    .set({
      state: end.failure === null ? 'succeeded' : 'failed',
      failure: end.failure,
      finishedAt: end.finishedAt,
      leaseOwner: null,
      leaseUntil: null,
    })
    .where('id', '=', end.id)
    .where('attempt', '=', end.attempt)
    .where('state', '=', 'running')
    .returning('siteId')
    .executeTakeFirst()
  return row?.siteId ?? null
}

export async function getIndexRun(db: Kysely<Database>, id: string): Promise<IndexRun | null> {
  const row = await db.selectFrom('indexRuns').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toIndexRun(row)
}

/** Newest first: ids are ULIDs; the cursor is an id. */
export async function listIndexRuns(
  db: Kysely<Database>,
  siteId: string,
  request: ListRequest,
): Promise<Listing<IndexRun>> {
  let query = db.selectFrom('indexRuns').selectAll().where('siteId', '=', siteId)
  if (request.cursor) query = query.where('id', '<', request.cursor)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(request.limit + 1)
    .execute()
  return toListing(rows, request.limit, toIndexRun, (row) => row.id)
}

function toIndexRun(row: Row<'indexRuns'>): IndexRun {
  return {
    id: row.id,
    siteId: row.siteId,
    state: row.state,
    cause: row.cause,
    attempt: row.attempt,
    leaseOwner: row.leaseOwner,
    leaseUntil: row.leaseUntil,
    failure: row.failure,
    revision: row.revision,
    progress: toProgress(row),
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
  }
}

function toProgress({ step, pagesDone, pagesTotal }: Row<'indexRuns'>): IndexRunProgress | null {
  if (step === null) return null
  // The only writer of the column is `reportIndexRun`, with this type.
  return { step: step as IndexRunProgress['step'], pagesDone: pagesDone ?? 0, pagesTotal: pagesTotal ?? 0 }
}
