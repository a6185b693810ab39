import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve } from 'node:path'
import { AppError } from '../../contract/app-error.ts'
import { nameCommand } from '../../config/name-command.ts'

/**
 * Rejects a path on this machine that holders of a key or a session must not read. URLs pass.
 *
 * A symbolic link is checked by its target and a missing path by its name, so that the error does not reveal which
 * files exist.
 *
 * @param folders Absolute paths.
 * @throws {AppError} `source_not_allowed`.
 */
export async function requireAllowedFolder(folders: readonly string[], location: string): Promise<void> {
  if (!isAbsolute(location)) return
  const [given, ...allowed] = await Promise.all([location, ...folders].map(resolvePath))
  const isAllowed = given !== undefined && allowed.some((folder) => isWithin(folder, given))
  if (isAllowed) return
  throw new AppError(
    'source_not_allowed',
    `Server folders are read only where the server's owner allows it. Add the folder to DOCENT_SOURCE_FOLDERS, or run "${nameCommand('site add')}" on the server.`,
  )
}

function resolvePath(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path))
}

/** Whether a path is a folder or inside it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith('../') && !way.startsWith('..\\')
}
