import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { createTables } from './create-tables.ts'
import { areas, type Database } from '../schema.ts'
import { toSnakeCase } from '../snake-case.ts'
import type { Table } from '../tables/define-table.ts'

/** A table to copy; the same in both databases. */
export interface TableShape {
  name: string
  columns: readonly string[]
  /** Primary key columns, in order; rows are read in this order. */
  key: readonly string[]
}

const tables = Object.values(areas).flatMap((area) => Object.entries<Table>(area))

/** Tables whose rows belong to one database or one process. */
const uncopied = tables.filter(([, table]) => table.uncopied !== undefined).map(([name]) => toSnakeCase(name))

/**
 * The tables to copy, as of a migration, each after the tables it references.
 *
 * Read from an in-memory database created by the migrations, so that the list always matches the tables.
 *
 * @param migration Name of the last migration.
 * @throws {Error} when a table has no primary key, or references itself, a cycle or an uncopied table.
 */
export async function describeTables(migration: string): Promise<TableShape[]> {
  const database = new DatabaseSync(':memory:')
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: adapt(database) }) })
  try {
    await createTables(db, { dialect: 'sqlite', last: migration, now: 0 })
    return sortByReference(readTables(database), database)
  } finally {
    await db.destroy()
  }
}

/** Names of all tables as of a migration, copied or not, without Kysely's migration tables. */
export async function listTableNames(migration: string): Promise<string[]> {
  return [...(await describeTables(migration)).map(({ name }) => name), ...uncopied]
}

function readTables(database: DatabaseSync): TableShape[] {
  const names = select(database, "select name from sqlite_schema where type = 'table' order by name")
    .map(({ name }) => String(name))
    .filter((name) => !/^(?:sqlite_|docent_migration)/u.test(name) && !uncopied.includes(name))
  return names.map((name) => {
    const columns = select(database, `select name, pk from pragma_table_info('${name}') order by cid`)
    const key = columns.filter(({ pk }) => Number(pk) > 0).sort((one, other) => Number(one.pk) - Number(other.pk))
    if (key.length === 0) throw new Error(`The table ${name} has no primary key, so its rows have no order.`)
    return {
      name,
      columns: columns.map((column) => String(column.name)),
      key: key.map((column) => String(column.name)),
    }
  })
}

function sortByReference(tables: readonly TableShape[], database: DatabaseSync): TableShape[] {
  const sorted: TableShape[] = []
  let waiting = tables.map((table) => ({ table, parents: readParents(database, table.name) }))
  while (waiting.length > 0) {
    const done = new Set(sorted.map(({ name }) => name))
    const next = waiting.filter(({ parents }) => parents.every((parent) => done.has(parent)))
    if (next.length === 0) {
      const names = waiting.map(({ table, parents }) => `${table.name} → ${parents.join(', ')}`).join('; ')
      throw new Error(`These tables cannot be copied one after another: ${names}.`)
    }
    sorted.push(...next.map(({ table }) => table))
    waiting = waiting.filter((entry) => !next.includes(entry))
  }
  return sorted
}

function readParents(database: DatabaseSync, name: string): string[] {
  const rows = select(database, `select distinct "table" as parent from pragma_foreign_key_list('${name}')`)
  return rows.map(({ parent }) => String(parent))
}

/** @param query Built in this file only: interpolated names come from the migrations. */
function select(database: DatabaseSync, query: string): Record<string, unknown>[] {
  return database.prepare(query).all()
}

/** Adapts the database to Kysely's driver interface. */
function adapt(database: DatabaseSync) {
  return {
    close: () => database.close(),
    prepare(text: string) {
      const statement = database.prepare(text)
      const given = (values: readonly unknown[]) => values as readonly SQLInputValue[] // From the migrations.
      return {
        reader: statement.columns().length > 0,
        all: (values: readonly unknown[]): unknown[] => statement.all(...given(values)),
        run: (values: readonly unknown[]) => statement.run(...given(values)),
        iterate: (values: readonly unknown[]): IterableIterator<unknown> => statement.iterate(...given(values)),
      }
    },
  }
}
