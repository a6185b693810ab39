import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type KyselyConfig,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely'
import { decodeValues, SqliteRowCompiler } from '../row-codec.ts'
import type { Database, Db } from '../schema.ts'
import type { SqliteClient } from './sqlite-client.ts'
import type { SqliteConnectionName, SqliteRows } from './sqlite-protocol.ts'
import type { Release } from './write-gate.ts'

/** Opens the embedded database over one of the worker's write connections. */
export function createSqliteDatabase(
  client: SqliteClient,
  connection: 'durable' | 'relaxed',
  config: Pick<KyselyConfig, 'log'> = {},
): Db {
  return new Kysely<Database>({ ...config, dialect: createSqliteDialect(client, connection) })
}

/** Talks to the worker thread over one of its write connections. */
function createSqliteDialect(client: SqliteClient, connection: 'durable' | 'relaxed'): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new SqliteWorkerDriver(client, connection),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteRowCompiler(),
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  /** SQLite's schema changes are transactional, so a failed migration leaves nothing behind. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class SqliteWorkerDriver implements Driver {
  readonly #client: SqliteClient
  readonly #name: 'durable' | 'relaxed'

  constructor(client: SqliteClient, name: 'durable' | 'relaxed') {
    this.#client = client
    this.#name = name
  }

  // The worker is started before the driver is created.
  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteWorkerConnection> {
    this.#client.assertOpen()
    return new SqliteWorkerConnection(this.#client, this.#name)
  }

  async beginTransaction(connection: SqliteWorkerConnection): Promise<void> {
    await connection.begin()
  }

  async commitTransaction(connection: SqliteWorkerConnection): Promise<void> {
    await connection.end('commit')
  }

  async rollbackTransaction(connection: SqliteWorkerConnection): Promise<void> {
    await connection.end('rollback')
  }

  async releaseConnection(): Promise<void> {}

  // The store closes the client, which both drivers share.
  async destroy(): Promise<void> {}
}

class SqliteWorkerConnection implements DatabaseConnection {
  readonly #client: SqliteClient
  readonly #name: SqliteConnectionName
  /** Set while a transaction is open. */
  #release: Release | null = null

  constructor(client: SqliteClient, name: SqliteConnectionName) {
    this.#client = client
    this.#name = name
  }

  async begin(): Promise<void> {
    const release = await this.#client.gate.enterTransaction()
    try {
      this.#client.assertOpen()
      await this.#send(this.#name, 'begin immediate', [], false)
    } catch (error) {
      release()
      throw error
    }
    this.#release = release
    this.#client.transactionBegan()
  }

  async end(statement: 'commit' | 'rollback'): Promise<void> {
    const release = this.#release
    // The worker has rolled back a failed commit; there is nothing left to roll back.
    if (release === null) return
    this.#release = null
    // The worker runs in order, so the next writer may start as soon as the end has been sent.
    const ended = this.#send(this.#name, statement, [], true)
    release()
    try {
      await ended
    } finally {
      this.#client.transactionEnded()
    }
  }

  async executeQuery<Result>(query: CompiledQuery): Promise<QueryResult<Result>> {
    return toResult<Result>(await this.#run(query))
  }

  /** SQLite's rows are all in memory after the run, so they are yielded at once. */
  async *streamQuery<Result>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Result>> {
    yield await this.executeQuery<Result>(query)
  }

  async #run(query: CompiledQuery): Promise<SqliteRows> {
    const { sql, parameters } = query
    if (this.#release !== null) return this.#send(this.#name, sql, parameters, true)
    if (isRead(query)) return this.#send('reader', sql, parameters, false)
    return this.#client.gate.passStatement(() => this.#send(this.#name, sql, parameters, false))
  }

  #send(
    connection: SqliteConnectionName,
    sql: string,
    parameters: readonly unknown[],
    isInTransaction: boolean,
  ): Promise<SqliteRows> {
    return this.#client.run({ connection, sql, parameters, isInTransaction })
  }
}

/** Statements that start otherwise, such as `with`, may write and go to a write connection. */
function isRead({ sql }: CompiledQuery): boolean {
  return /^\s*select\b/iu.test(sql)
}

function toResult<Result>(rows: SqliteRows): QueryResult<Result> {
  const { columns, values } = rows
  if (columns.length === 0) {
    return { rows: [], numAffectedRows: BigInt(rows.changes), insertId: BigInt(rows.lastInsertRowid) }
  }
  // The caller knows the rows of its own statement.
  return { rows: decodeValues(columns, values) as Result[] }
}
