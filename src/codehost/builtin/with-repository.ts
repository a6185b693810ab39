import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../contract/app-error.ts'
import { updateRef } from '../../git/repositories/refs.ts'
import { type RefChange, updateRefs } from '../../git/repositories/update-refs.ts'
import type { PlacedRepository, SharedRepositories } from './shared-repositories.ts'

// All access to repositories of the built-in host goes through here.

/** Locations of the built-in host's repositories. */
export interface RepositoryPlaces {
  /** Folder of this machine's bare repositories. */
  repositoryFolder: string
  /**
   * Set if several processes share a database but no folder; absent with the embedded database, where the folder is
   * authoritative.
   */
  sharedRepositories?: SharedRepositories | undefined
}

/**
 * Opens the up-to-date bare repository on this machine, for reading and for writing unreferenced objects.
 *
 * @returns Its path, for `GIT_DIR`.
 * @throws {AppError} `repository_not_found`; `code_host_unavailable` if it is missing on the disk.
 */
export async function openRepository(
  { repositoryFolder, sharedRepositories }: RepositoryPlaces,
  repository: PlacedRepository,
  signal: AbortSignal,
): Promise<string> {
  await sharedRepositories?.bring(repository, signal)
  const gitDirectory = join(repositoryFolder, repository.folder)
  await access(join(gitDirectory, 'HEAD')).catch((cause: unknown) => {
    const message = `The files of the repository ${repository.name} are missing or unreadable. Tell the operator, who must restore the folder "repositories" from a backup.`
    throw new AppError('code_host_unavailable', message, { cause })
  })
  return gitDirectory
}

/**
 * Moves several refs atomically, for every process. The target commits must be in the repository that `openRepository`
 * returned.
 *
 * @returns False if a ref is not at its expected commit and nothing moved.
 */
export function moveRefs(
  { repositoryFolder, sharedRepositories }: RepositoryPlaces,
  repository: PlacedRepository,
  changes: readonly RefChange[],
  signal: AbortSignal,
): Promise<boolean> {
  if (sharedRepositories !== undefined) return sharedRepositories.move(repository, changes, signal)
  const gitDirectory = join(repositoryFolder, repository.folder)
  const [first] = changes
  const isOne = changes.length === 1 && first !== undefined && first.expected !== undefined
  // A single process retries past the lock of a killed one.
  if (isOne) return updateRef({ ...first, expected: first.expected ?? null, gitDirectory }, signal)
  return updateRefs({ gitDirectory, changes }, signal)
}
