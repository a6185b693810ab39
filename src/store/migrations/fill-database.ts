import type { Kysely } from 'kysely'
import type { RowLoader } from './load-rows.ts'
import type { TableSum } from './row-sum.ts'
import type { Database } from '../schema.ts'
import type { TableShape } from './table-shapes.ts'

/** What a new database is made of. */
export interface FillInput {
  /** The form that the rows have. */
  migration: string
  /** The form that the database has in the end. */
  newest: string
  /** The tables of `migration`. */
  shapes: readonly TableShape[]
  /** UTC milliseconds. */
  now: number
  /** Writes all rows. @param transaction For what is written beside them. */
  load(loader: RowLoader, transaction: Kysely<Database>): Promise<void>
}

export interface FilledDatabase {
  /** Of each table, as it was read back. */
  sums: ReadonlyMap<string, TableSum>
}
