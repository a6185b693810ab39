import { open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { readDatabaseFault } from './database-error.ts'
import { isFirstStartDone } from './installation.ts'
import type { Db } from './schema.ts'
import type { Store } from './store.ts'

/**
 * Marks a data folder from before its database is created until the first start has finished. With the mark, an empty
 * database belongs to an interrupted first start; without it, the installation has lost its data.
 */
const begunName = 'first-start.begun'

/** Marks the data folder of an installation that uses PostgreSQL. */
const postgresName = 'uses-postgres'

/** What only an installation leaves in its data folder. Empty folders do not count. */
const signs = [
  'secret-key',
  'server.json',
  postgresName,
  'repositories',
  'indexes',
  'mirrors',
  'parsed',
  'vectors',
  'crawls',
]

/** Database logs; next to a readable database they are its own. */
const logSigns = ['docent.db-wal', 'docent.db-journal']

/** If all of these are empty, the database contains no installation. */
const filledTables = ['installation', 'organizations']

/** The installation's database is gone. Creating a new one in its place would bury the old one. */
class EmptiedInstallationError extends Error {
  override readonly name = 'EmptiedInstallationError'
}

type DatabaseFileState = 'missing' | 'empty' | 'damaged' | 'holds nothing' | 'in use'

/**
 * Refuses a data folder that has lost its database and leaves it untouched. Marks a new folder as being in its first
 * start, so that a killed first start can resume.
 *
 * @param folder An existing data folder of an embedded database.
 * @throws {EmptiedInstallationError} with a message that names both ways out.
 */
export async function refuseEmptiedFolder(folder: string): Promise<void> {
  const hasBegun = await isThere(join(folder, begunName))
  const state = await classifyDatabaseFile(folder)
  if (hasBegun || state === 'in use') return
  const found = await listSigns(folder, state === 'holds nothing' ? signs : [...signs, ...logSigns])
  if (found.includes(postgresName) && (state === 'missing' || state === 'holds nothing')) throw withoutUrl(folder)
  if (state === 'damaged' || found.length > 0) throw emptied(folder, state, found)
  await writeFile(join(folder, begunName), '', { mode: 0o600, flush: true })
}

/**
 * Refuses an empty PostgreSQL database if the data folder belonged to a filled one, or to an embedded database that has
 * not been moved.
 *
 * @param db Not migrated yet, so that a refusal changes nothing.
 * @throws {EmptiedInstallationError} with a message that names both ways out.
 */
export async function refuseEmptiedPostgres(db: Db, folder: string): Promise<void> {
  if (await isInUse(db)) return
  if (await isThere(join(folder, postgresName))) {
    throw new EmptiedInstallationError(
      `The database at DATABASE_URL is empty, but the data folder ${folder} belonged to an installation in PostgreSQL, so nothing was changed. Check DATABASE_URL and restore a backup with docent restore; or, to start over, move everything out of the data folder.`,
    )
  }
  if ((await classifyDatabaseFile(folder)) !== 'in use') return
  throw new EmptiedInstallationError(
    `The database at DATABASE_URL is empty, but the data folder ${folder} contains an installation with an embedded database, so nothing was changed. Run docent move-to-postgres to move it; or, to start over, set DOCENT_DATA to another folder.`,
  )
}

/** Records in the data folder that it belongs to an installation, once the first start has finished. */
export async function recordInstallation({ durable, dialect }: Store, folder: string): Promise<void> {
  if (!(await isFirstStartDone(durable))) return
  const mark = join(folder, postgresName)
  if (dialect === 'postgres' && !(await isThere(mark))) await writeFile(mark, '', { mode: 0o600, flush: true })
  await rm(join(folder, begunName), { force: true })
}

async function classifyDatabaseFile(folder: string): Promise<DatabaseFileState> {
  const file = join(folder, 'docent.db')
  const found = await stat(file).catch(() => null)
  if (found === null) return 'missing'
  if (found.size === 0) return 'empty'
  // A non-empty log may contain what the file lacks.
  const log = await stat(`${file}-wal`).catch(() => null)
  if ((log === null || log.size === 0) && found.size < (await readWrittenBytes(file))) return 'damaged'
  return classifyContents(file)
}

/** The file's length according to its own header; 0 if unknown. See https://sqlite.org/fileformat.html */
async function readWrittenBytes(file: string): Promise<number> {
  const header = Buffer.alloc(100)
  const handle = await open(file, 'r')
  try {
    await handle.read(header, 0, header.length, 0)
  } finally {
    await handle.close()
  }
  const pageBytes = header.readUInt16BE(16)
  // The page count is valid only if the version that wrote it was the last to change the file.
  const isCounted = header.readUInt32BE(24) === header.readUInt32BE(92)
  return isCounted ? (pageBytes === 1 ? 65_536 : pageBytes) * header.readUInt32BE(28) : 0
}

function classifyContents(file: string): DatabaseFileState {
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(file, { readOnly: true })
    const holdsRow = (table: string) => {
      const isThereTable = database?.prepare('select 1 from sqlite_schema where name = ?').get(table) !== undefined
      return isThereTable && database?.prepare(`select 1 from ${table} limit 1`).get() !== undefined
    }
    return filledTables.some(holdsRow) ? 'in use' : 'holds nothing'
  } catch (error) {
    // Opening the database reports other errors.
    return readDatabaseFault(error) === 'damaged' ? 'damaged' : 'in use'
  } finally {
    database?.close()
  }
}

async function isInUse(db: Db): Promise<boolean> {
  for (const table of filledTables) {
    const { rows } = await sql<{ found: string | null }>`select to_regclass(${table})::text as found`.execute(db)
    if (rows[0]?.found == null) continue
    if ((await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)).rows.length > 0) return true
  }
  return false
}

async function listSigns(folder: string, names: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const name of names) {
    const path = join(folder, name)
    const entries = await readdir(path).catch(() => null)
    if (entries === null ? await isThere(path) : entries.length > 0) found.push(name)
  }
  return found
}

function emptied(folder: string, state: DatabaseFileState, found: readonly string[]): EmptiedInstallationError {
  const what = state === 'damaged' ? 'damaged or no database' : state === 'missing' ? 'missing' : 'empty'
  const beside = found.length === 0 ? '' : `, beside ${found.join(', ')} of an installation`
  return new EmptiedInstallationError(
    `The database ${join(folder, 'docent.db')} is ${what}${beside}, so nothing was changed. Restore a backup with docent restore --replace FILE; or, to start over, move everything out of ${folder}.`,
  )
}

function withoutUrl(folder: string): EmptiedInstallationError {
  return new EmptiedInstallationError(
    `The data folder ${folder} belongs to an installation in PostgreSQL, but DATABASE_URL is not set, so nothing was changed. Set DATABASE_URL to its database; or, to start over, set DOCENT_DATA to another folder.`,
  )
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null
}
