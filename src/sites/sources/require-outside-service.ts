import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '../../contract/app-error.ts'
import { isWithin } from './require-allowed-folder.ts'

/**
 * Refuses a path that leads into the data folder of this service: it holds the key of all stored secrets, the database, and
 * the repositories of every organization, so that reading it would give all of them to whoever has one admin key.
 *
 * @param input.path Absolute; links are followed. One that cannot be read is left to whoever reads it.
 * @param input.mayHold Whether the path may hold the data folder, as a checkout does in which the service was started.
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
    `${path} holds data of this service itself. Name the folder of the documentation, outside of the data folder.`,
  )
}

function resolvePath(path: string): Promise<string | null> {
  return realpath(path).catch(() => null)
}
