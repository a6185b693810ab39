import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrationTable } from '../migrations/create-tables.ts'
import { assertNotHalfRestored } from '../restore-mark.ts'
import {
  batchRowsMax,
  type DatabaseSnapshot,
  quoteName,
  type RepositoryRecord,
  type Row,
  type RowReader,
} from '../migrations/row-reader.ts'
import type { TableShape } from '../migrations/table-shapes.ts'

/** Writers hold the lock that blocks readers only briefly. */
const lockedMsMax = 30_000

/**
 * Opens the embedded database for reading next to the process that owns it. With write-ahead logging, a reader sees
 * what was committed when it began, and neither waits for writers nor blocks them. The log grows until the snapshot is
 * closed.
 *
 * @param folder The data folder.
 * @throws {Error} with a message for people, when it contains no database.
 */
export async function openSqliteSnapshot(folder: string): Promise<DatabaseSnapshot> {
  await assertNotHalfRestored(folder)
  const file = join(folder, 'docent.db')
  if ((await stat(file).catch(() => null)) === null) {
    throw new Error(`There is no database in ${folder}. Set DOCENT_DATA to the data folder of the server.`)
  }
  const database = new DatabaseSync(file, { readOnly: true, timeout: lockedMsMax })
  try {
    database.exec('begin')
    // The first read takes the snapshot.
    const migrations = listMigrations(database)
    return {
      ...createSqliteReader(database),
      db: null,
      migrations,
      listRepositories: async () => listFolders(database),
      close: async () => {
        if (database.isOpen) database.close()
      },
    }
  } catch (error) {
    database.close()
    throw error
  }
}

/** Names of a database file's executed migrations, in order; empty if it cannot be read. */
export async function readSqliteMigrations(file: string): Promise<string[]> {
  if ((await stat(file).catch(() => null)) === null) return []
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: lockedMsMax })
    return listMigrations(database)
  } catch {
    // Opening the database for writing reports errors.
    return []
  } finally {
    database?.close()
  }
}

function listMigrations(database: DatabaseSync): string[] {
  if (!hasTable(database, migrationTable)) return []
  const rows = database.prepare(`select name from ${quoteName(migrationTable)} order by name`).all()
  return rows.map(({ name }) => String(name))
}

function createSqliteReader(database: DatabaseSync): RowReader {
  return {
    async *read({ name, columns, key }: TableShape) {
      const list = (names: readonly string[]) => names.map(quoteName).join(', ')
      const statement = database.prepare(`select ${list(columns)} from ${quoteName(name)} order by ${list(key)}`)
      statement.setReturnArrays(true)
      let batch: Row[] = []
      // `setReturnArrays` is not reflected in the type.
      for (const row of statement.iterate() as unknown as Iterable<Row>) {
        batch.push(row)
        if (batch.length < batchRowsMax) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
  }
}

/** Empty if the database is older than the built-in host. */
function listFolders(database: DatabaseSync): RepositoryRecord[] {
  if (!hasTable(database, 'repositories')) return []
  const rows = database.prepare('select id, folder from repositories order by id').all()
  return rows.map(({ id, folder }) => ({ id: String(id), folder: String(folder), state: null }))
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare('select 1 from sqlite_schema where name = ?').get(name) !== undefined
}
