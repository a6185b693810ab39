import type { Kysely } from 'kysely'
import type { Database } from '../schema.ts'
import type { TableShape } from './table-shapes.ts'

/** What a column holds. */
export type Value = string | number | null | Uint8Array
/** In the order of the columns of its table. */
export type Row = readonly Value[]

/** Rows that are handed on together. Bounds the memory that reading takes, at some rows of the longest kind. */
export const batchRowsMax = 100

/** The rows of a database at one moment. */
export interface RowReader {
  /** All rows of a table by its key, in byte order, at most `batchRowsMax` at once. Read one table after the other. */
  read(table: TableShape): AsyncIterable<readonly Row[]>
}

/** What a repository of the built-in host is known by. */
export interface RepositoryRecord {
  id: string
  /** The name of its bare repository within the folder of repositories. */
  folder: string
  /** What is recorded of it; null where the folder is the truth. */
  state: { head: string; refs: ReadonlyMap<string, string>; shallow: string | null; packs: readonly string[] } | null
}

/** A database as it was when the snapshot was opened, whatever is written meanwhile. */
export interface DatabaseSnapshot extends RowReader {
  /** The transaction that sees it; null for the embedded database, which is read without the query layer. */
  readonly db: Kysely<Database> | null
  /** Names of the migrations that it has come through, in their order. */
  readonly migrations: readonly string[]
  /** By id. */
  listRepositories(): Promise<RepositoryRecord[]>
  /** Idempotent. */
  close(): Promise<void>
}

/** A quoted name. Names come from the migrations. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
