import { type ExpressionBuilder, sql } from 'kysely'
import { announceSyncFailure } from '../announce-changes.ts'
import { inTransaction } from '../in-transaction.ts'
import { type Listing, type ListRequest, toListing } from '../listing.ts'
import { type Claim, claimNext, type ClaimTimes, finishClaim, immediately, unclaimed, updateClaimed } from '../queue.ts'
import type { Database, Db, Row } from '../schema.ts'

/** One build of a site's index. The row is the queue entry: a worker holds a lease on it while it builds. */
export interface IndexRun {
  id: string
  siteId: string
  state: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Kebab-case: `site-created`, `sync-requested`, `source-changed`. */
  cause: string
  /** Counts claims. Fencing token: a write with an older attempt changes nothing. */
  attempt: number
  /** Null once the run has ended. */
  runAt: number | null
  /** A sentence, on failed runs. */
  failure: string | null
  /** Revision of the source that the run read; null until then. */
  revision: string | null
  /** Null before the run starts; retained after it ends. */
  progress: IndexRunProgress | null
  createdAt: number
  startedAt: number | null
  finishedAt: number | null
}

export interface IndexRunProgress {
  step: 'fetching' | 'reading' | 'building' | 'publishing'
  /** Pages read and in total; 0 of 0 while unknown. */
  pagesDone: number
  pagesTotal: number
}

export interface NewIndexRun {
  id: string
  siteId: string
  cause: string
  createdAt: number
}

/** The served index is damaged or missing. The site is down, so its run takes precedence. */
export const damageCause = 'index-unreadable'

/** Causes that rebuild the index even if the source is unchanged. */
const rebuildCauses = [damageCause, 'source-replaced'] as const

export function isDamageRepair({ cause }: Pick<IndexRun, 'cause'>): boolean {
  return cause === damageCause
}

/** Whether a run rebuilds the index even if the source is unchanged. */
export function isRebuild({ cause }: Pick<IndexRun, 'cause'>): boolean {
  return rebuildCauses.some((rebuild) => rebuild === cause)
}

/** Crawled sites, or sites whose source is at hand. */
export type IndexRunLane = 'crawled' | 'at-hand'

interface RunChoice {
  lane?: IndexRunLane
  siteIds?: readonly string[]
}

/**
 * Queues a run, unless the site has a queued run, which will see the same source. A running one does not count, because
 * it may have read the source before the change. A rebuild turns a queued run into a rebuild.
 *
 * @returns The run that will do the work; it has the given id if it is new.
 */
export async function enqueueIndexRun(db: Db, run: NewIndexRun): Promise<IndexRun> {
  const row = await db
    .insertInto('indexRuns')
    .values({
      id: run.id,
      siteId: run.siteId,
      state: 'queued',
      cause: run.cause,
      ...unclaimed(immediately),
      createdAt: run.createdAt,
    })
    .onConflict((conflict) =>
      conflict
        .column('siteId')
        .where('state', '=', sql.lit('queued'))
        // Updates unconditionally, so that the existing row is returned by the same statement.
        .doUpdateSet((set) => ({
          cause: isRebuild(run) ? set.ref('excluded.cause') : set.ref('indexRuns.cause'),
        })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  return toIndexRun(row)
}

/**
 * Claims the oldest run; repairs of damaged indexes come first. A site has at most one running run.
 *
 * @param choice.lane Crawled sites, or the others: a crawl spends minutes to hours waiting between requests, and other
 *   sites' runs must not wait behind it. Default: both.
 * @param choice.siteIds Default: all sites.
 */
export async function claimIndexRun(
  db: Db,
  { lane, siteIds, ...times }: ClaimTimes & RunChoice,
): Promise<IndexRun | null> {
  const sitesOfLane = db
    .selectFrom('sites')
    .select('sites.id')
    .where('isCrawled', '=', lane === 'crawled')
  const row = await claimNext(db, 'indexRuns', times, {
    narrow: (query) => {
      const alone = query.where((where) => where.or([where('queued.state', '=', 'running'), isAloneOnSite(where)]))
      const inLane = lane === undefined ? alone : alone.where('queued.siteId', 'in', sitesOfLane)
      const chosen = siteIds === undefined ? inLane : inLane.where('queued.siteId', 'in', siteIds)
      return chosen
        .orderBy((order) => order.case().when('queued.cause', '=', damageCause).then(0).else(1).end())
        .orderBy('queued.createdAt')
    },
    change: (set) => ({ state: 'running' as const, startedAt: set.fn.coalesce('startedAt', set.val(times.now)) }),
  })
  return row && toIndexRun(row)
}

function isAloneOnSite(where: ExpressionBuilder<Database & Record<'queued', Database['indexRuns']>, 'queued'>) {
  const running = where
    .selectFrom('indexRuns as other')
    .select('other.id')
    .whereRef('other.siteId', '=', 'queued.siteId')
    .where('other.state', '=', 'running')
  return where.not(where.exists(running))
}

/** Records a run's progress. Does nothing if the claim was lost. */
export async function reportIndexRun(
  db: Db,
  claim: Claim & { progress?: IndexRunProgress; revision?: string },
): Promise<void> {
  const { progress, revision } = claim
  await updateClaimed(db, 'indexRuns', claim, { ...progress, ...(revision !== undefined && { revision }) })
}

/**
 * @param end.failure A sentence for a failed run, null for a successful one.
 * @returns False if the claim was lost; nothing was written then.
 */
export async function finishIndexRun(
  db: Db,
  end: Claim & { failure: string | null; finishedAt: number },
): Promise<boolean> {
  const { id: runId, failure, finishedAt } = end
  const state = failure === null ? 'succeeded' : 'failed'
  return inTransaction(db, async (transaction) => {
    const row = await finishClaim(transaction, 'indexRuns', end, { state, failure, finishedAt })
    if (row === null) return false
    if (failure !== null)
      await announceSyncFailure(transaction, { runId, siteId: row.siteId, failure, now: finishedAt })
    return true
  })
}

export async function getIndexRun(db: Db, id: string): Promise<IndexRun | null> {
  const row = await db.selectFrom('indexRuns').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toIndexRun(row)
}

/** Newest first; the cursor is an id (a ULID). */
export async function listIndexRuns(db: Db, siteId: string, request: ListRequest): Promise<Listing<IndexRun>> {
  let query = db.selectFrom('indexRuns').selectAll().where('siteId', '=', siteId)
  if (request.cursor) query = query.where('id', '<', request.cursor)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(request.limit + 1)
    .execute()
  return toListing(rows, request.limit, toIndexRun, (row) => row.id)
}

function toIndexRun({ step, pagesDone, pagesTotal, isClaimed: _isClaimed, ...run }: Row<'indexRuns'>): IndexRun {
  // `reportIndexRun` is the only writer of the column.
  const progress =
    step === null
      ? null
      : { step: step as IndexRunProgress['step'], pagesDone: pagesDone ?? 0, pagesTotal: pagesTotal ?? 0 }
  return { ...run, progress }
}
