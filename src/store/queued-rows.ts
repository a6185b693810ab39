import { isDue, queueWaitMsMax } from './is-due.ts'
import { type Kysely, PostgresAdapter } from 'kysely'
import type { Database, Row } from './schema.ts'

/** Tables whose rows are a queue: what is `queued` is taken at `run_at`, by a claim that is counted in `attempt`. */
export type QueueTable = 'automationRuns' | 'webhookDeliveries' | 'webhookSends'

/** Names one claim of a row. */
export interface RowClaim {
  id: string
  /** Counts the claims. It fences: a write with an older attempt changes nothing. */
  attempt: number
}

/** Of the database's clock, which all replicas have in common. */
export interface ClaimTimes {
  now: number
  /** When somebody else may take it. */
  leaseUntil: number
}

/** Takes the row that waits longest. @param narrow Leaves out rows that are not to be taken now. */
export async function claimQueuedRow<Table extends QueueTable>(
  db: Kysely<Database>,
  table: Table,
  { now, leaseUntil }: ClaimTimes,
  narrow: (query: QueuedQuery) => QueuedQuery = (query) => query,
): Promise<Row<Table> | undefined> {
  const query = narrow(selectDue(db, table, now))
    .orderBy('queued.runAt')
    .orderBy('queued.id')
    .limit(1)
  // SQLite runs one writing statement at a time; PostgreSQL skips rows that another claim has locked.
  const next = db.getExecutor().adapter instanceof PostgresAdapter ? query.forUpdate('queued').skipLocked() : query
  const row = await db
    .updateTable(alike(table))
    .set((set) => ({ attempt: set('attempt', '+', 1), runAt: leaseUntil }))
    .where('id', '=', next)
    .returningAll()
    .executeTakeFirst()
  return row as Row<Table> | undefined // Of the table that was named.
}

/** Rows that are due, under the name `queued`. */
export type QueuedQuery = ReturnType<typeof selectDue>

function selectDue(db: Kysely<Database>, table: QueueTable, now: number) {
  return db
    .selectFrom(`${alike(table)} as queued`)
    .select('queued.id')
    .where('queued.state', '=', 'queued')
    .where(isDue('queued.runAt', now, queueWaitMsMax))
}

/** The columns of a queue are alike in all of them, which the types of the query layer cannot say. */
function alike(table: QueueTable): 'webhookSends' {
  return table as 'webhookSends'
}

/** @returns False when the claim is not the current one any more, or the row has ended; nothing was written then. */
export async function updateClaimedRow<Table extends QueueTable>(
  db: Kysely<Database>,
  table: Table,
  { id, attempt }: RowClaim,
  change: Partial<Row<Table>>,
): Promise<boolean> {
  const result = await db
    .updateTable(alike(table))
    .set(change as Partial<Row<'webhookSends'>>) // Of the table that was named.
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
