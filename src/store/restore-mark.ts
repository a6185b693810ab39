import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Marks a data folder while a restore moves files into it. */
const markName = 'restore.begun'

/** A restore was interrupted between two moves. */
class HalfRestoredError extends Error {
  override readonly name = 'HalfRestoredError'
}

/**
 * Refuses a data folder with the repositories of one state and the database of another, left by a killed restore:
 * whatever was served from there or written there would belong to neither.
 *
 * @throws {HalfRestoredError} with a message for people.
 */
export async function assertNotHalfRestored(folder: string): Promise<void> {
  const aside = await readRestoreMark(folder)
  if (aside === null) return
  throw new HalfRestoredError(
    `A restore into ${folder} was interrupted while it moved files into place, so the folder contains parts of two states. Run docent restore with the backup and --replace again to finish it. The previous files are kept in ${aside}.`,
  )
}

/**
 * @returns The folder that the interrupted restore chose for the previous files; null if no restore was interrupted.
 */
export async function readRestoreMark(folder: string): Promise<string | null> {
  try {
    return (await readFile(join(folder, markName), 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Durable once it resolves, so that even after power loss no move is visible without the mark. */
export async function writeRestoreMark(folder: string, aside: string): Promise<void> {
  await writeFile(join(folder, markName), `${aside}\n`, { mode: 0o600, flush: true })
  await syncFolder(folder)
}

/** Syncs the moves before it removes the mark. */
export async function removeRestoreMark(folder: string): Promise<void> {
  await syncFolder(folder)
  await rm(join(folder, markName), { force: true })
  await syncFolder(folder)
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
