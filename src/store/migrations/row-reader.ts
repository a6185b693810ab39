import type { Db } from '../schema.ts'
import type { TableShape } from './table-shapes.ts'

/** A column value. */
export type Value = string | number | null | Uint8Array
/** Values in the table's column order. */
export type Row = readonly Value[]

/** Rows per batch. Bounds memory to that many of the longest rows. */
export const batchRowsMax = 100

/** Reads the rows of a database at one point in time. */
export interface RowReader {
  /** All rows of a table in key order, bytewise, in batches of at most `batchRowsMax`. Read one table at a time. */
  read(table: TableShape): AsyncIterable<readonly Row[]>
}

/** A recorded repository of the built-in host. */
export interface RepositoryRecord {
  id: string
  /** Name of its bare repository in the repositories folder. */
  folder: string
  /** Recorded state; null if the folder itself is authoritative. */
  state: { head: string; refs: ReadonlyMap<string, string>; shallow: string | null; packs: readonly string[] } | null
}

/** A database as of the opening of the snapshot, regardless of later writes. */
export interface DatabaseSnapshot extends RowReader {
  /** The snapshot's transaction; null for the embedded database, which is read without Kysely. */
  readonly db: Db | null
  /** Names of the executed migrations, in order. */
  readonly migrations: readonly string[]
  /** Sorted by id. */
  listRepositories(): Promise<RepositoryRecord[]>
  /** Idempotent. */
  close(): Promise<void>
}

/** Quotes a name. Names come from the migrations. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
