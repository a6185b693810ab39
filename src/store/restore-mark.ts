import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Lies in a data folder from when a restore begins to move things there until the last of them is in its place. */
const markName = 'restore.begun'

/** A restore was broken off between two moves. */
class HalfRestoredError extends Error {
  override readonly name = 'HalfRestoredError'
}

/**
 * Refuses a data folder that holds the repositories of one state and the database of another, because a restore was
 * killed between them: whatever was served or written there would belong to neither.
 *
 * @throws {HalfRestoredError} a sentence.
 */
export async function assertNotHalfRestored(folder: string): Promise<void> {
  const aside = await readRestoreMark(folder)
  if (aside === null) return
  throw new HalfRestoredError(
    `A restore into ${folder} was broken off while it put the files in their places, so that what lies there is parts of two states. Run docent restore with the backup and --replace again, which finishes it. What was there before is kept in ${aside}.`,
  )
}

/** @returns The folder for what was there before, as the restore that was broken off has chosen it; null where none was. */
export async function readRestoreMark(folder: string): Promise<string | null> {
  try {
    return (await readFile(join(folder, markName), 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** On the disk when it resolves, so that no move can be seen without it, after power loss either. */
export async function writeRestoreMark(folder: string, aside: string): Promise<void> {
  await writeFile(join(folder, markName), `${aside}\n`, { mode: 0o600, flush: true })
  await syncFolder(folder)
}

/** The moves are on the disk before the mark is gone. */
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
