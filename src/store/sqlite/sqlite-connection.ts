import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { SqliteFailure, SqliteRequest, SqliteResponse, SqliteRows } from './sqlite-protocol.ts'

/** Bounds memory. There are fewer distinct statements in practice, so each stays prepared. */
const preparedMax = 500

interface Prepared {
  statement: StatementSync
  columns: readonly string[]
}

/** One of the worker's database connections, with its prepared statements. */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  get isTransaction(): boolean {
    return this.#database.isTransaction
  }

  /** Runs one statement. Never throws: failures are returned. */
  answer(request: SqliteRequest): SqliteResponse {
    const { id, sql, parameters, isInTransaction } = request
    try {
      if (isInTransaction && !this.isTransaction) {
        if (sql === 'rollback') return { id, rows: none }
        throw new Error('The transaction was rolled back by an earlier failure: run it again from the start.')
      }
      return { id, rows: this.#run(sql, parameters) }
    } catch (error) {
      if (sql === 'commit') this.endTransaction()
      return { id, failure: describeFailure(error) }
    }
  }

  /** Needed after a failed commit, as on a full disk: its transaction would keep the database locked. */
  endTransaction(): void {
    if (this.isTransaction) this.#database.exec('rollback')
  }

  /** Needed after schema changes: old prepared statements would report outdated column names. */
  forgetPrepared(): void {
    this.#prepared.clear()
  }

  close(): void {
    this.endTransaction()
    this.#database.close()
  }

  #run(sql: string, parameters: readonly unknown[]): SqliteRows {
    const { statement, columns } = this.#prepare(sql)
    // SQLite rejects unsupported values itself, with a message that names the position.
    const values = parameters as readonly SQLInputValue[]
    if (columns.length === 0) return { ...none, ...statement.run(...values) }
    // `setReturnArrays` is not reflected in the type.
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
