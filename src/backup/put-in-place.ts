import { copyFile, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readDatabaseFault } from '../store/database-error.ts'
import { readRestoreMark, removeRestoreMark, writeRestoreMark } from '../store/restore-mark.ts'
import { checkpointDatabaseFile } from '../store/sqlite/checkpoint-database-file.ts'
import { pathExists } from '../base/path-exists.ts'
import { BackupError } from './backup-error.ts'

/** Derived data that would no longer match the restored rows. Indexes, pages and vectors are rebuilt. */
const caches = ['indexes', 'parsed', 'vectors', 'crawls']

export interface PutInPlaceInput {
  dataFolder: string
  /** Holds `database/docent.db` and `repositories`. Inside the data folder, so that everything can be renamed. */
  staging: string
  /** Whether an embedded database was restored. */
  hasDatabase: boolean
  secret: string | null
  now: number
}

/** @throws {BackupError} if there is a database. */
export async function assertEmptyFolder(dataFolder: string): Promise<void> {
  if (!(await pathExists(join(dataFolder, 'docent.db')))) return
  throw new BackupError(
    `The data folder ${dataFolder} is not empty: it has a database. Set DOCENT_DATA to an empty folder, or add --replace to move what is there aside.`,
  )
}

/**
 * Moves restored files into place and existing ones into a folder beside them. The database comes last, in one step, so
 * that a complete one exists at every moment. Meanwhile a marker in the folder prevents every process from opening it;
 * a restore that finds the marker of a killed one takes over.
 *
 * @returns The folder with the previous files; null if there were none.
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
    await checkpointDatabaseFile(restored)
    await rename(restored, join(dataFolder, 'docent.db'))
    await removeRestoreMark(dataFolder)
  }
  return (await pathExists(aside)) ? aside : null
}

/** A hard link rather than a rename, so that the data folder always has a database. */
async function keepDatabase(dataFolder: string, aside: string): Promise<void> {
  const file = join(dataFolder, 'docent.db')
  if (await pathExists(file)) await checkpointDatabaseFile(file).catch(ignoreDamage)
  // Write-ahead logs of a damaged or missing database would be applied to the restored one.
  for (const name of ['docent.db-wal', 'docent.db-shm', 'docent.db-journal']) {
    await moveAside(join(dataFolder, name), { aside, name })
  }
  if (!(await pathExists(file))) return
  await mkdir(aside, { recursive: true, mode: 0o700 })
  const kept = join(aside, 'docent.db')
  // The interrupted restore already saved the original; this file may be the restored one.
  if (await pathExists(kept)) return
  // Some file systems do not support hard links.
  await link(file, kept).catch(() => copyFile(file, kept))
}

/** Keeps files that are no longer a database. */
function ignoreDamage(error: unknown): void {
  if (readDatabaseFault(error) !== 'damaged') throw error
}

async function moveAside(file: string, { aside, name }: { aside: string; name: string }): Promise<void> {
  if (!(await pathExists(file))) return
  await mkdir(aside, { recursive: true, mode: 0o700 })
  const kept = join(aside, name)
  // The interrupted restore already saved the originals; these are the files it put in place.
  if (await pathExists(kept)) await rm(file, { recursive: true, force: true })
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
