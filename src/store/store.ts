import type { Db } from './schema.ts'

/** How busy a pool's connections are. */
export interface PoolLoad {
  used: number
  idle: number
  /** Statements and transactions waiting for a connection. */
  waiting: number
}

export type StoreDialect = 'sqlite' | 'postgres'

/**
 * The open database of an installation.
 *
 * Functions of this room take a `Db` first: `durable`, `relaxed` or the caller's transaction. Inside a
 * transaction, use only that transaction: on the embedded database any other write waits until it ends.
 */
export interface Store {
  readonly dialect: StoreDialect
  /** A resolved write survives power loss. */
  readonly durable: Db
  /**
   * A resolved write survives a killed process, but power loss may lose the last moments. About a hundred times cheaper
   * than `durable`; for counters and for events that can be recreated.
   */
  readonly relaxed: Db
  /** Lets running statements and transactions finish, refuses new ones and releases the data folder. Idempotent. */
  close(): Promise<void>
  /** @throws {AppError} `database_unavailable` when the database does not answer. */
  ping(): Promise<void>
  /** Absent for the embedded database, which has no pools. */
  readPools?(): ({ pool: string } & PoolLoad)[]
}
