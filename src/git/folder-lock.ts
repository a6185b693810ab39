import { mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export interface FolderLockOptions {
  /** The file whose existence is the lock. */
  file: string
  signal: AbortSignal
  /** A lock not touched by its holder for this long is taken over. */
  staleMs?: number
}

const retryMs = 100
const staleMsDefault = 30_000

/**
 * Runs work while holding a lock shared by all processes that use a folder.
 *
 * The holder touches the file as it works, so that the lock of a killed process can be taken over.
 *
 * @throws The signal's abort reason while waiting.
 */
export async function withFolderLock<Result>(options: FolderLockOptions, work: () => Promise<Result>): Promise<Result> {
  const { file, signal, staleMs = staleMsDefault } = options
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  while (!(await acquireLock(file))) {
    if (await isStale(file, staleMs, signal)) await removeLock(file)
    await wait(retryMs, undefined, { signal })
  }
  const touch = () => {
    const now = new Date()
    utimes(file, now, now).catch(() => {})
  }
  const heartbeat = setInterval(touch, staleMs / 4)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    await rm(file, { force: true })
  }
}

function acquireLock(file: string): Promise<boolean> {
  return writeFile(file, String(process.pid), { flag: 'wx', mode: 0o600 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
}

/** A time in the future is left by a clock that was set back: a living holder touches its lock before this returns. */
async function isStale(file: string, staleMs: number, signal: AbortSignal): Promise<boolean> {
  const found = await stat(file).catch(() => null)
  if (found === null || Math.abs(Date.now() - found.mtimeMs) < staleMs) return false
  if (found.mtimeMs < Date.now()) return true
  await wait(staleMs / 2, undefined, { signal })
  return (await stat(file).catch(() => null))?.mtimeMs === found.mtimeMs
}

/** Renamed first: of several processes that see the same stale lock only one can rename it; the others find it gone. */
async function removeLock(file: string): Promise<void> {
  const aside = `${file}.${process.pid}.stale`
  await rename(file, aside).then(
    () => rm(aside, { force: true }),
    () => undefined,
  )
}
