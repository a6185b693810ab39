import type { Kysely, Transaction } from 'kysely'
import type { Database } from './schema.ts'

/** Runs in the caller's transaction, or in a new one: transactions do not nest. */
export function inTransaction<Result>(
  db: Kysely<Database>,
  run: (transaction: Kysely<Database>) => Promise<Result>,
): Promise<Result> {
  return isTransaction(db) ? run(db) : db.transaction().execute(run)
}

function isTransaction(db: Kysely<Database>): db is Transaction<Database> {
  return db.isTransaction
}
