import { type Kysely, PostgresAdapter, sql } from 'kysely'
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
  createdAt: number
  startedAt: number | null
  finishedAt: number | null
}

export interface NewIndexRun {
  id: string
  siteId: string
  cause: string
  createdAt: number
}

/** Names one claim of a run. */
export interface IndexRunClaim {
  id: string
  attempt: number
}

/**
 * Queues a run. A run of the site that is queued already is returned instead, because it will see the same source;
 * one that is running is not, because it may have read the source before the change.
 *
 * @returns The run that will do the work; it carries the given id when it is new.
 */
export async function enqueueIndexRun(db: Kysely<Database>, run: NewIndexRun): Promise<IndexRun> {
  const row = await db
    .insertInto('index_runs')
    .values({
      id: run.id,
      site_id: run.siteId,
      state: 'queued',
      cause: run.cause,
      attempt: 0,
      created_at: run.createdAt,
    })
    .onConflict((conflict) =>
      conflict
        .column('site_id')
        .where('state', '=', sql.lit('queued'))
        // Changes nothing, but makes the row that was there a returned one, in the same statement.
        .doUpdateSet((set) => ({ site_id: set.ref('excluded.site_id') })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  return toIndexRun(row)
}

/**
 * Takes the oldest run that is queued, or whose lease has lapsed. No two callers get the same attempt, and a site has
 * at most one running run.
 *
 * @param claim.leaseUntil When the claim lapses unless `renewIndexRunLease` moves it.
 * @returns The run with its new attempt, or null when there is nothing to do.
 */
export async function claimIndexRun(
  db: Kysely<Database>,
  claim: { owner: string; now: number; leaseUntil: number },
): Promise<IndexRun | null> {
  const row = await db
    .updateTable('index_runs')
    .set((set) => ({
      state: 'running',
      attempt: set('attempt', '+', 1),
      lease_owner: claim.owner,
      lease_until: claim.leaseUntil,
      started_at: set.fn.coalesce('started_at', set.val(claim.now)),
    }))
    .where('id', '=', claimableRun(db, claim.now))
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toIndexRun(row)
}

/** SQLite runs one writing statement at a time; PostgreSQL skips rows that another claim has locked. */
function claimableRun(db: Kysely<Database>, now: number) {
  const query = db
    .selectFrom('index_runs as run')
    .select('run.id')
    .where((where) =>
      where.or([
        where.and([where('run.state', '=', 'running'), where('run.lease_until', '<=', now)]),
        where.and([
          where('run.state', '=', 'queued'),
          where.not(
            where.exists(
              where
                .selectFrom('index_runs as other')
                .select('other.id')
                .whereRef('other.site_id', '=', 'run.site_id')
                .where('other.state', '=', 'running'),
            ),
          ),
        ]),
      ]),
    )
    .orderBy('run.created_at')
    .orderBy('run.id')
    .limit(1)
  return db.getExecutor().adapter instanceof PostgresAdapter ? query.forUpdate().skipLocked() : query
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
    .updateTable('index_runs')
    .set({ lease_until: claim.leaseUntil })
    .where('id', '=', claim.id)
    .where('attempt', '=', claim.attempt)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * @param end.failure A sentence for a run that failed, null for one that succeeded.
 * @returns False when the claim is not the current one any more; nothing was written then.
 */
export async function finishIndexRun(
  db: Kysely<Database>,
  end: IndexRunClaim & { failure: string | null; finishedAt: number },
): Promise<boolean> {
  const result = await db
    .updateTable('index_runs')
    .set({
      state: end.failure === null ? 'succeeded' : 'failed',
      failure: end.failure,
      finished_at: end.finishedAt,
      lease_owner: null,
      lease_until: null,
    })
    .where('id', '=', end.id)
    .where('attempt', '=', end.attempt)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function getIndexRun(db: Kysely<Database>, id: string): Promise<IndexRun | null> {
  const row = await db.selectFrom('index_runs').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toIndexRun(row)
}

/** Newest first: ids are ULIDs; the cursor is an id. */
export async function listIndexRuns(
  db: Kysely<Database>,
  siteId: string,
  request: ListRequest,
): Promise<Listing<IndexRun>> {
  let query = db.selectFrom('index_runs').selectAll().where('site_id', '=', siteId)
  if (request.cursor) query = query.where('id', '<', request.cursor)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(request.limit + 1)
    .execute()
  return toListing(rows, request.limit, toIndexRun, (row) => row.id)
}

function toIndexRun(row: Row<'index_runs'>): IndexRun {
  return {
    id: row.id,
    siteId: row.site_id,
    state: row.state,
    cause: row.cause,
    attempt: row.attempt,
    leaseOwner: row.lease_owner,
    leaseUntil: row.lease_until,
    failure: row.failure,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  }
}
