import { chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Name prefixes of the service's own entries in a data folder. Others are left alone. */
const ownNames =
  /^(?:docent\.db|lock\.db|secret-key|server\.json|uses-postgres|first-start\.begun|restore\.|replaced-|indexes$|mirrors$|repositories$|parsed$|vectors$|crawls$|scratch)/

const othersBits = 0o077
const stickyBit = 0o1000

/**
 * Makes every file that this process creates private to its user, in any folder. Threads and git inherit this.
 */
export function makeFilesPrivate(): void {
  process.umask(othersBits)
}

/**
 * Closes a data folder and the service's files in it to other users. Links and files of other users are left alone.
 *
 * The folder and its entries are closed first, which blocks access to everything below; deeper entries follow one by one.
 *
 * @returns Resolves when everything is closed.
 */
export async function tightenDataFolder(folder: string): Promise<{ rest: Promise<void> }> {
  const names = (await readdir(folder)).filter((name) => ownNames.test(name))
  const folders = (await Promise.all(names.map((name) => tighten(join(folder, name))))).flat()
  await tighten(folder)
  return { rest: tightenBelow(folders) }
}

async function tightenBelow(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => [])
    const below = await Promise.all(names.map((name) => tighten(join(folder, name))))
    await tightenBelow(below.flat())
  }
}

/** @returns The path if it is our own folder. Entries deleted meanwhile are skipped. */
async function tighten(path: string): Promise<string[]> {
  const found = await lstat(path).catch(() => null)
  if (found === null || found.isSymbolicLink() || found.uid !== process.getuid?.()) return []
  // A shared folder, such as /tmp.
  if ((found.mode & stickyBit) !== 0) return []
  if ((found.mode & othersBits) !== 0) await chmod(path, found.mode & 0o7700).catch(() => undefined)
  return found.isDirectory() ? [path] : []
}
