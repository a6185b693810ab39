import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { staleLockMs } from '../repositories/refs.ts'

/** A push is stopped long before. */
const stalePushMs = 60 * 60_000

/**
 * Removes what pushes leave in a repository when git is killed or the machine stops: objects on their way in, as large as
 * a push may be, and locks of refs, which would stand in the way of every later push for ever.
 *
 * What a live push uses is younger and stays.
 *
 * @param now UTC milliseconds.
 */
export async function removePushLeftovers(gitDirectory: string, now: number): Promise<void> {
  const objects = join(gitDirectory, 'objects')
  const incoming = (await readdir(objects)).filter((name) => /^(?:tmp_objdir-)?incoming-/.test(name))
  const refs = await readdir(join(gitDirectory, 'refs'), { recursive: true })
  const locks = refs.filter((name) => name.endsWith('.lock')).map((name) => join(gitDirectory, 'refs', name))
  for (const folder of incoming) await removeIfOlder(join(objects, folder), now - stalePushMs)
  for (const lock of [...locks, join(gitDirectory, 'packed-refs.lock')]) await removeIfOlder(lock, now - staleLockMs)
}

async function removeIfOlder(path: string, time: number): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found !== null && found.mtimeMs < time) await rm(path, { recursive: true, force: true })
}
