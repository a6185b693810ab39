import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { SqliteFailure, SqliteRequest, SqliteResponse, SqliteRows } from './sqlite-protocol.ts'

/** Bounds the memory that statements take; the product has fewer, so that in practice every one stays prepared. */
const preparedMax = 500

interface Prepared {
  statement: StatementSync
  columns: readonly string[]
}

/** One connection of the worker thread to the database, with the statements that it has prepared. */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  get isTransaction(): boolean {
    return this.#database.isTransaction
  }

  /** Runs one statement. A failure is an answer too; nothing is thrown. */
  answer(request: SqliteRequest): SqliteResponse {
    const { id, sql, parameters, isInTransaction } = request
    try {
      if (isInTransaction && !this.isTransaction) {
        if (sql === 'rollback') return { id, rows: none }
        throw new Error('The transaction was rolled back by an earlier failure: run it again from its beginning.')
      }
      return { id, rows: this.#run(sql, parameters) }
    } catch (error) {
      if (sql === 'commit') this.endTransaction()
      return { id, failure: describeFailure(error) }
    }
  }

  /** Needed after a commit that failed, as on a full disk: its transaction would keep the database locked for good. */
  endTransaction(): void {
    if (this.isTransaction) this.#database.exec('rollback')
  }

  /** Needed after tables have changed: a statement that was prepared before would name its columns wrongly. */
  forgetPrepared(): void {
    this.#prepared.clear()
  }

  close(): void {
    this.endTransaction()
    this.#database.close()
  }

  #run(sql: string, parameters: readonly unknown[]): SqliteRows {
    const { statement, columns } = this.#prepare(sql)
    // SQLite itself refuses a value that it cannot store, with a message that names the position.
    const values = parameters as readonly SQLInputValue[]
    if (columns.length === 0) return { ...none, ...statement.run(...values) }
    // The statement was told to return arrays; its type does not know that.
    return { ...none, columns, values: statement.all(...values) as unknown as unknown[][] }
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    statement.setReturnArrays(true)
    const fresh = { statement, columns: statement.columns().map(({ name }) => name) }
    if (this.#prepared.size >= preparedMax) this.#prepared.clear()
    this.#prepared.set(sql, fresh)
    return fresh
  }
}

const none: SqliteRows = { columns: [], values: [], changes: 0, lastInsertRowid: 0 }

export function describeFailure(error: unknown): SqliteFailure {
  const message = error instanceof Error ? error.message : String(error)
  const isSqlite = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
  return { message, resultCode: isSqlite ? Number(error.errcode) : null }
}
