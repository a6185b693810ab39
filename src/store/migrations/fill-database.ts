import type { RowLoader } from './load-rows.ts'
import type { TableSum } from './row-sum.ts'
import type { Db } from '../schema.ts'
import type { TableShape } from './table-shapes.ts'

/** Contents of a new database. */
export interface FillInput {
  /** The migration that the rows were written under. */
  migration: string
  /** The migration that the database ends up at. */
  newest: string
  /** The tables of `migration`. */
  shapes: readonly TableShape[]
  /** UTC milliseconds. */
  now: number
  /** Writes all rows. @param transaction For other writes in the same transaction. */
  load(loader: RowLoader, transaction: Db): Promise<void>
}

export interface FilledDatabase {
  /** By table, as read back. */
  sums: ReadonlyMap<string, TableSum>
}
