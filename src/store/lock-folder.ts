import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FolderInUseError } from './folder-in-use-error.ts'

/** SQLITE_BUSY, the low byte of the extended codes. */
const busyCode = 5

/**
 * Locks the data folder without opening its database, so that no server can start on it. The lock ends with the
 * process, even if that is killed.
 *
 * @returns Releases the lock.
 * @throws {FolderInUseError} when another process has locked it.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(folder, 'lock.db'), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    const isBusy = error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === busyCode
    throw isBusy ? new FolderInUseError(folder) : error
  }
  return () => lock.close()
}
