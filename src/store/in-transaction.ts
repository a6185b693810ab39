import type { Transaction } from 'kysely'
import type { Database, Db } from './schema.ts'

/** Runs in the caller's transaction, or in a new one: transactions do not nest. */
export function inTransaction<Result>(db: Db, run: (transaction: Db) => Promise<Result>): Promise<Result> {
  return isTransaction(db) ? run(db) : db.transaction().execute(run)
}

function isTransaction(db: Db): db is Transaction<Database> {
  return db.isTransaction
}
