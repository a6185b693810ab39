import { copyFile, link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readDatabaseFault } from '../store/database-error.ts'
import { readRestoreMark, removeRestoreMark, writeRestoreMark } from '../store/restore-mark.ts'
import { settleDatabaseFile } from '../store/settle-database-file.ts'
import { BackupError } from './backup-error.ts'

/** What would serve old contents under new rows. Indexes, pages and vectors are made again. */
const caches = ['indexes', 'parsed', 'vectors', 'crawls']

export interface PutInPlaceInput {
  dataFolder: string
  /** Holds `database/docent.db` and `repositories`. In the data folder, so that everything can be renamed. */
  staging: string
  /** Whether an embedded database was restored. */
  hasDatabase: boolean
  secret: string | null
  now: number
}

/** @throws {BackupError} when there is a database. */
export async function assertEmptyFolder(dataFolder: string): Promise<void> {
  if (!(await isThere(join(dataFolder, 'docent.db')))) return
  throw new BackupError(
    `The data folder ${dataFolder} is not empty: it has a database. Set DOCENT_DATA to an empty folder, or add --replace to move what is there aside.`,
  )
}

/**
 * Moves what was restored to its places, and what was there into a folder beside it. The database comes last, in one
 * step, so that there is a whole one at every moment. From the first move to the last a mark in the folder keeps every
 * process from opening it; a restore that finds the mark of one that was killed takes its place.
 *
 * @returns The folder with what was there; null where nothing was.
 */
export async function putInPlace(input: PutInPlaceInput): Promise<string | null> {
  const { dataFolder, staging, hasDatabase, secret, now } = input
  const begun = await readRestoreMark(dataFolder)
  const aside = begun ?? join(dataFolder, `replaced-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`)
  if (hasDatabase) {
    await writeRestoreMark(dataFolder, aside)
    await keepDatabase(dataFolder, aside)
    for (const name of ['repositories', ...caches]) await moveAside(join(dataFolder, name), { aside, name })
    await rename(join(staging, 'repositories'), join(dataFolder, 'repositories'))
  }
  if (secret !== null) await placeSecret(dataFolder, { secret, aside })
  if (hasDatabase) {
    const restored = join(staging, 'database', 'docent.db')
    await settleDatabaseFile(restored)
    await rename(restored, join(dataFolder, 'docent.db'))
    await removeRestoreMark(dataFolder)
  }
  return (await isThere(aside)) ? aside : null
}

/** A second name, not a move: the data folder has a database all the time. */
async function keepDatabase(dataFolder: string, aside: string): Promise<void> {
  const file = join(dataFolder, 'docent.db')
  if (await isThere(file)) await settleDatabaseFile(file).catch(ignoreDamage)
  // Logs that are left belong to a database that is damaged or gone, and would be taken for those of the restored one.
  for (const name of ['docent.db-wal', 'docent.db-shm', 'docent.db-journal']) {
    await moveAside(join(dataFolder, name), { aside, name })
  }
  if (!(await isThere(file))) return
  await mkdir(aside, { recursive: true, mode: 0o700 })
  const kept = join(aside, 'docent.db')
  // Kept by the restore that was broken off; this may be the restored one already.
  if (await isThere(kept)) return
  // Some file systems have one name for a file only.
  await link(file, kept).catch(() => copyFile(file, kept))
}

/** What is no database any more is kept as it is. */
function ignoreDamage(error: unknown): void {
  if (readDatabaseFault(error) !== 'damaged') throw error
}

async function moveAside(file: string, { aside, name }: { aside: string; name: string }): Promise<void> {
  if (!(await isThere(file))) return
  await mkdir(aside, { recursive: true, mode: 0o700 })
  const kept = join(aside, name)
  // What was there before is kept by the restore that was broken off; this is what that one has put in its place.
  if (await isThere(kept)) await rm(file, { recursive: true, force: true })
  else await rename(file, kept)
}

async function placeSecret(dataFolder: string, { secret, aside }: { secret: string; aside: string }): Promise<void> {
  const file = join(dataFolder, 'secret-key')
  const known = await readFile(file, 'utf8').catch(() => null)
  if (known?.trim() === secret) return
  const staged = `${file}.unfinished`
  await rm(staged, { force: true })
  await writeFile(staged, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })
  await moveAside(file, { aside, name: 'secret-key' })
  await rename(staged, file)
}

async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null
}
