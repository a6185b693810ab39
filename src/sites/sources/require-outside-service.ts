import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '../../contract/app-error.ts'
import { isWithin } from './require-allowed-folder.ts'

/**
 * Rejects a path into the service's own data folder. It contains the key of all stored secrets, the database, and the
 * repositories of every organization, so reading it would expose them all to anyone with one admin key.
 *
 * @param input.path Absolute; links are followed. A path that cannot be read is left to the code that reads it.
 * @param input.mayHold Whether the path may contain the data folder, as the checkout that the service runs from does.
 * @throws {AppError} `invalid_request`.
 */
export async function requireOutsideService(
  { repositoryFolder }: { repositoryFolder: string },
  { path, mayHold }: { path: string; mayHold: boolean },
): Promise<void> {
  const [own, given] = await Promise.all([resolvePath(dirname(repositoryFolder)), resolvePath(path)])
  if (own === null || given === null) return
  if (!isWithin(own, given) && (mayHold || !isWithin(given, own))) return
  throw new AppError(
    'invalid_request',
    `${path} contains this service's own data. Choose a documentation folder outside the data folder.`,
  )
}

function resolvePath(path: string): Promise<string | null> {
  return realpath(path).catch(() => null)
}
