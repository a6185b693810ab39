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

/** A writer holds the lock that a reader needs for moments only. */
const lockedMsMax = 30_000

/**
 * Opens the embedded database for reading beside the process that owns it: in the database's log, a reader sees what was
 * committed when it began, and neither waits for writers nor holds them up. The log grows until it is closed.
 *
 * @param folder The data folder.
 * @throws {Error} a sentence, when there is no database in it.
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
    // The first look takes the snapshot.
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

/** Names of the migrations of a database file, in their order; none where nothing can be read in it. */
export async function readSqliteMigrations(file: string): Promise<string[]> {
  if ((await stat(file).catch(() => null)) === null) return []
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: lockedMsMax })
    return listMigrations(database)
  } catch {
    // Whoever opens the database for writing says what is wrong with it.
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
      // The statement was told to return arrays; its type does not know that.
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

/** None where the database is older than the built-in host. */
function listFolders(database: DatabaseSync): RepositoryRecord[] {
  if (!hasTable(database, 'repositories')) return []
  const rows = database.prepare('select id, folder from repositories order by id').all()
  return rows.map(({ id, folder }) => ({ id: String(id), folder: String(folder), state: null }))
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare('select 1 from sqlite_schema where name = ?').get(name) !== undefined
}
