import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FolderInUseError } from './folder-in-use-error.ts'

/** SQLITE_BUSY, without the bits of the extended code. */
const busyCode = 5

/**
 * Takes the data folder without opening its database, so that no server starts on it meanwhile. The lock ends with the
 * process, however it ends.
 *
 * @returns What frees it.
 * @throws {FolderInUseError} when a process holds it.
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
