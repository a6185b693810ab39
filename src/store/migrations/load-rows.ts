import type { Kysely } from 'kysely'
import { batchRowsMax, type Row, type RowReader } from './row-reader.ts'
import { RowSum, type TableSum } from './row-sum.ts'
import type { Database } from '../schema.ts'
import type { StoreDialect } from '../store.ts'
import type { TableShape } from './table-shapes.ts'

/** Writes rows into the tables of another database, and sums up what it has written. */
export class RowLoader {
  readonly #db: Kysely<Database>
  readonly #dialect: StoreDialect
  readonly #sums = new Map<string, RowSum>()

  /** @param db The transaction that all rows are written in, or in which nothing is. */
  constructor(db: Kysely<Database>, dialect: StoreDialect) {
    this.#db = db
    this.#dialect = dialect
  }

  /** Rows of one table come in the order of its key, and tables after those that they refer to. */
  async write({ name, columns }: TableShape, rows: readonly Row[]): Promise<void> {
    const sum = this.#sums.get(name) ?? new RowSum()
    this.#sums.set(name, sum)
    for (let start = 0; start < rows.length; start += batchRowsMax) {
      const batch = rows.slice(start, start + batchRowsMax).map((row) => row.map((value) => this.#clean(value)))
      for (const row of batch) sum.add(row)
      const values = batch.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))
      // The name and the columns are those of the migrations.
      await this.#db
        .insertInto(name as keyof Database)
        .values(values)
        .execute()
    }
  }

  /** PostgreSQL stores no zero characters in text. Rows with one are the same but for the mark in its place. */
  #clean(value: Row[number]): Row[number] {
    return this.#dialect === 'postgres' && typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value
  }

  /** What was written, by table. */
  end(): ReadonlyMap<string, TableSum> {
    return new Map([...this.#sums].map(([name, sum]) => [name, sum.end()]))
  }
}

/**
 * Reads every table back and compares it with what was written, row by row.
 *
 * @returns The sum of each table.
 * @throws {Error} a sentence that names the first table that differs.
 */
export async function compareRows(
  reader: RowReader,
  shapes: readonly TableShape[],
  written: ReadonlyMap<string, TableSum>,
): Promise<ReadonlyMap<string, TableSum>> {
  const sums = new Map<string, TableSum>()
  for (const shape of shapes) {
    const sum = await sumRows(reader, shape)
    const expected = written.get(shape.name) ?? new RowSum().end()
    if (sum.rowCount !== expected.rowCount || sum.sha256 !== expected.sha256) {
      throw new Error(
        `The table ${shape.name} holds ${sum.rowCount} rows that differ from the ${expected.rowCount} that were written. Nothing was kept. Check the disk and the database server, and run the command again.`,
      )
    }
    sums.set(shape.name, sum)
  }
  return sums
}

/** What the rows of a table come to. */
export async function sumRows(reader: RowReader, shape: TableShape): Promise<TableSum> {
  const sum = new RowSum()
  for await (const rows of reader.read(shape)) for (const row of rows) sum.add(row)
  return sum.end()
}
