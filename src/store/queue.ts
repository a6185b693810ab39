import {
  type ExpressionBuilder,
  type Kysely,
  PostgresAdapter,
  type SelectQueryBuilder,
  type Updateable,
  type UpdateObject,
} from 'kysely'
import { isDue, leaseMsMax, queueWaitMsMax } from './is-due.ts'
import type { Database, Db, Row } from './schema.ts'
import type { queueColumns } from './tables/queue-columns.ts'
import type { RowsOf } from './tables/define-table.ts'

/** Tables whose rows are work items. */
export type QueueTable =
  | 'agentJobs'
  | 'automationRuns'
  | 'botEvents'
  | 'commentAnswers'
  | 'comparisons'
  | 'digests'
  | 'driftChecks'
  | 'handOverSends'
  | 'indexRuns'
  | 'webhookDeliveries'
  | 'webhookSends'

/** One claim of a row. */
export interface Claim {
  id: string
  /** Fencing token: a write with an earlier attempt changes nothing. */
  attempt: number
}

export interface ClaimTimes {
  now: number
  /** When other workers may claim the row unless the claim is renewed. */
  leaseUntil: number
}

/** `runAt` of work that is due regardless of the clock. */
export const immediately = 0

/** The due rows, aliased as `queued`. */
export type DueQuery<Name extends QueueTable> = SelectQueryBuilder<
  Database & Record<'queued', Database[Name]>,
  'queued',
  { id: string }
>

type ClaimChange<Name extends QueueTable> = (set: ExpressionBuilder<Database, Name>) => UpdateObject<Database, Name>

/**
 * Claims the row that has been due longest. No two callers get the same attempt.
 *
 * @param options.narrow Excludes rows or changes the order.
 * @param options.change Written to the claimed row.
 */
export async function claimNext<Name extends QueueTable>(
  db: Db,
  table: Name,
  { now, leaseUntil }: ClaimTimes,
  options: { narrow?: (query: DueQuery<Name>) => DueQuery<Name>; change?: ClaimChange<Name> } = {},
): Promise<Row<Name> | null> {
  const due = asQueue(db)
    .selectFrom(`${nameOf(table)} as queued`)
    .select('queued.id')
    .where('queued.runAt', 'is not', null)
    .where((where) =>
      where.or([
        isDue('queued.runAt', now, queueWaitMsMax),
        where.and([where('queued.isClaimed', '=', true), isDue('queued.runAt', now, leaseMsMax)]),
      ]),
    )
  // Kysely cannot relate the shared columns to those of the table.
  const narrowed = options.narrow === undefined ? due : (options.narrow(due) as unknown as typeof due)
  const first = narrowed.orderBy('queued.runAt').orderBy('queued.id').limit(1)
  // SQLite runs one write at a time; PostgreSQL skips rows locked by another claim.
  const next = db.getExecutor().adapter instanceof PostgresAdapter ? first.forUpdate('queued').skipLocked() : first
  const row = await asQueue(db)
    .updateTable(nameOf(table))
    .set((set) => ({
      ...options.change?.(set as unknown as ExpressionBuilder<Database, Name>),
      attempt: set('attempt', '+', 1),
      runAt: leaseUntil,
      isClaimed: true,
    }))
    .where('id', '=', next)
    .returningAll()
    .executeTakeFirst()
  return (row ?? null) as Row<Name> | null // The row is from the given table.
}

/**
 * Writes to a row whose claim is held. Not to one that was released: a renewal on its way would put off the next attempt by
 * a whole lease.
 *
 * @returns The row; null if the claim was lost or released or the work is done, in which case nothing was written.
 */
export async function updateClaimed<Name extends QueueTable>(
  db: Db,
  table: Name,
  { id, attempt }: Claim,
  change: Updateable<Database[Name]>,
): Promise<Row<Name> | null> {
  const row = await asQueue(db)
    .updateTable(nameOf(table))
    .set(change)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('isClaimed', '=', true)
    .where('runAt', 'is not', null)
    .returningAll()
    .executeTakeFirst()
  return (row ?? null) as Row<Name> | null // The row is from the given table.
}

/** @returns False if the claim was lost: stop the work. */
export async function renewClaim(db: Db, table: QueueTable, claim: Claim, leaseUntil: number): Promise<boolean> {
  return (await updateClaimed(db, table, claim, { runAt: leaseUntil })) !== null
}

/** Releases a claim; the work is due again at `runAt`. @returns False if the claim was lost. */
export async function releaseClaim<Name extends QueueTable>(
  db: Db,
  table: Name,
  claim: Claim,
  runAt: number,
  change: Updateable<Database[Name]> = {},
): Promise<boolean> {
  return (await updateClaimed(db, table, claim, { ...change, runAt, isClaimed: false })) !== null
}

/** Marks the work as done. @returns The row, or null if the claim was lost. */
export function finishClaim<Name extends QueueTable>(
  db: Db,
  table: Name,
  claim: Claim,
  change: Updateable<Database[Name]>,
): Promise<Row<Name> | null> {
  return updateClaimed(db, table, claim, { ...change, ...workDone })
}

/** The queue columns of work that nobody has claimed yet. */
export function unclaimed(runAt: number) {
  return { attempt: 0, runAt, isClaimed: false }
}

/** The queue columns of finished work. */
export const workDone = { runAt: null, isClaimed: false } as const

/** Releases every claim. Only for a process with exclusive use of the database: all claimants are dead. */
export async function releaseAllClaims(db: Db, table: QueueTable, now: number): Promise<void> {
  await asQueue(db)
    .updateTable(nameOf(table))
    .set({ runAt: now, isClaimed: false })
    .where('isClaimed', '=', true)
    .where('runAt', 'is not', null)
    .execute()
}

type QueueDatabase = RowsOf<{
  queue: { columns: ReturnType<typeof queueColumns> & { id: { type: 'text'; value?: string } } }
}>

/** Narrows the database to the columns that all queues share. */
function asQueue(db: Db): Kysely<QueueDatabase> {
  return db as unknown as Kysely<QueueDatabase>
}

function nameOf(table: QueueTable): 'queue' {
  return table as 'queue'
}
