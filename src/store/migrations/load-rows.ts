import { batchRowsMax, type Row, type RowReader } from './row-reader.ts'
import { RowSum, type TableSum } from './row-sum.ts'
import type { Database, Db } from '../schema.ts'
import type { StoreDialect } from '../store.ts'
import type { TableShape } from './table-shapes.ts'

/** Writes rows into the tables of another database and computes their checksums. */
export class RowLoader {
  readonly #db: Db
  readonly #dialect: StoreDialect
  readonly #sums = new Map<string, RowSum>()

  /** @param db The transaction for all writes. */
  constructor(db: Db, dialect: StoreDialect) {
    this.#db = db
    this.#dialect = dialect
  }

  /** Expects a table's rows in key order, and tables after those they reference. */
  async write({ name, columns }: TableShape, rows: readonly Row[]): Promise<void> {
    const sum = this.#sums.get(name) ?? new RowSum()
    this.#sums.set(name, sum)
    for (let start = 0; start < rows.length; start += batchRowsMax) {
      const batch = rows.slice(start, start + batchRowsMax).map((row) => row.map((value) => this.#clean(value)))
      for (const row of batch) sum.add(row)
      const values = batch.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))
      // The name and columns come from the migrations.
      await this.#db
        .insertInto(name as keyof Database)
        .values(values)
        .execute()
    }
  }

  /** PostgreSQL cannot store NUL characters in text; they are replaced with U+FFFD. */
  #clean(value: Row[number]): Row[number] {
    return this.#dialect === 'postgres' && typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value
  }

  /** Checksums of the written rows, by table. */
  end(): ReadonlyMap<string, TableSum> {
    return new Map([...this.#sums].map(([name, sum]) => [name, sum.end()]))
  }
}

/**
 * Reads every table back and compares it with what was written.
 *
 * @returns The checksum of each table.
 * @throws {Error} naming the first table that differs.
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
        `The table ${shape.name} contains ${sum.rowCount} rows that differ from the ${expected.rowCount} that were written. Nothing was kept. Check the disk and the database server and run the command again.`,
      )
    }
    sums.set(shape.name, sum)
  }
  return sums
}

export async function sumRows(reader: RowReader, shape: TableShape): Promise<TableSum> {
  const sum = new RowSum()
  for await (const rows of reader.read(shape)) for (const row of rows) sum.add(row)
  return sum.end()
}
