import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** How busy the connections to a server are. */
export interface PoolLoad {
  used: number
  idle: number
  /** Statements and transactions that wait for a connection. */
  waiting: number
}

export type StoreDialect = 'sqlite' | 'postgres'

/**
 * The open database of an installation.
 *
 * Functions of this room take a `Kysely<Database>` first: one of the two below, or the transaction that the caller is
 * in. Inside a transaction use nothing but the transaction: with the embedded database any other write waits for its
 * end.
 */
export interface Store {
  readonly dialect: StoreDialect
  /** A write that has resolved survives power loss. */
  readonly durable: Kysely<Database>
  /**
   * A write that has resolved survives a killed process; power loss may take the last moments. About a hundred times
   * cheaper: for counters and for events that can be made again.
   */
  readonly relaxed: Kysely<Database>
  /** Ends running statements and transactions first, refuses new ones, and frees the data folder. Idempotent. */
  close(): Promise<void>
  /** @throws {AppError} `database_unavailable` when the database does not answer. */
  ping(): Promise<void>
  /** Absent for the embedded database, which has no pools. */
  readPools?(): ({ pool: string } & PoolLoad)[]
}
