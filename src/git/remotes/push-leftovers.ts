import { hourMs } from '../../base/durations.ts'
import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { staleLockMs } from '../repositories/refs.ts'

/** A push is stopped long before this. */
const stalePushMs = hourMs

/**
 * Removes what a push leaves in a repository if git is killed or the machine stops: incoming objects, up to the size of
 * a push, and ref locks, which would block all later pushes.
 *
 * Files of a running push are younger and stay.
 *
 * @param now UTC milliseconds.
 */
export async function removePushLeftovers(gitDirectory: string, now: number): Promise<void> {
  const objects = join(gitDirectory, 'objects')
  const incoming = (await readdir(objects)).filter((name) => /^(?:tmp_objdir-)?incoming-/.test(name))
  const refs = await readdir(join(gitDirectory, 'refs'), { recursive: true })
  const locks = refs.filter((name) => name.endsWith('.lock')).map((name) => join(gitDirectory, 'refs', name))
  for (const folder of incoming) await removeIfOlder(join(objects, folder), now, stalePushMs)
  for (const lock of [...locks, join(gitDirectory, 'packed-refs.lock')]) await removeIfOlder(lock, now, staleLockMs)
}

/**
 * A time in the future means that the clock was set back, perhaps during the push that is still running: its age counts
 * from here.
 */
async function removeIfOlder(path: string, now: number, ageMs: number): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found === null) return
  if (found.mtimeMs - now > ageMs) await utimes(path, now / 1_000, now / 1_000).catch(() => null)
  if (now - found.mtimeMs > ageMs) await rm(path, { recursive: true, force: true })
}
