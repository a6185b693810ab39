import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

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
 * Functions of this room take a `Kysely<Database>` first: `durable`, `relaxed` or the caller's transaction. Inside a
 * transaction, use only that transaction: on the embedded database any other write waits until it ends.
 */
export interface Store {
  readonly dialect: StoreDialect
  /** A resolved write survives power loss. */
  readonly durable: Kysely<Database>
  /**
   * A resolved write survives a killed process, but power loss may lose the last moments. About a hundred times cheaper
   * than `durable`; for counters and for events that can be recreated.
   */
  readonly relaxed: Kysely<Database>
  /** Lets running statements and transactions finish, refuses new ones and releases the data folder. Idempotent. */
  close(): Promise<void>
  /** @throws {AppError} `database_unavailable` when the database does not answer. */
  ping(): Promise<void>
  /** Absent for the embedded database, which has no pools. */
  readPools?(): ({ pool: string } & PoolLoad)[]
}
