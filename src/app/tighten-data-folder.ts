import { chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** What is the service's own in a data folder, by the beginning of its name. Anything else is left as it is. */
const ownNames =
  /^(?:docent\.db|lock\.db|secret-key|server\.json|uses-postgres|first-start\.begun|restore\.|replaced-|indexes$|mirrors$|repositories$|parsed$|vectors$|crawls$|scratch)/

const othersBits = 0o077
const stickyBit = 0o1000

/**
 * Has every file that this process makes from now on be its user's alone, whatever the folder is that it comes into.
 * Threads and git inherit it.
 */
export function makeFilesPrivate(): void {
  process.umask(othersBits)
}

/**
 * Takes a data folder, and what the service has made in it before, away from other users of the machine. Links and what
 * other users own are left as they are.
 *
 * The folder and what lies in it are closed when this resolves, which keeps everybody out of the folders below; what those
 * hold is closed one by one after that.
 *
 * @returns Resolves when all is closed.
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

/** @returns The path where it is a folder of ours. What has gone meanwhile needs nothing. */
async function tighten(path: string): Promise<string[]> {
  const found = await lstat(path).catch(() => null)
  if (found === null || found.isSymbolicLink() || found.uid !== process.getuid?.()) return []
  // Everybody's folder, such as /tmp.
  if ((found.mode & stickyBit) !== 0) return []
  if ((found.mode & othersBits) !== 0) await chmod(path, found.mode & 0o7700).catch(() => undefined)
  return found.isDirectory() ? [path] : []
}
