import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve } from 'node:path'
import { AppError } from '../../contract/app-error.ts'
import { nameCommand } from '../../config/name-command.ts'

/**
 * Refuses a path of this machine that whoever has a key or a session may not have read. Addresses pass.
 *
 * A link is judged by where it leads, and a path that does not exist by its name, so that the refusal does not tell
 * which files there are.
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
    `Folders of the server are read only where its owner allows it. Add the folder to DOCENT_SOURCE_FOLDERS, or run "${nameCommand('site add')}" on the server.`,
  )
}

function resolvePath(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path))
}

/** Whether a path is a folder or lies in it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith('../') && !way.startsWith('..\\')
}
