import { join } from 'node:path'
import { updateRef } from '../../git/repositories/refs.ts'
import { type RefChange, updateRefs } from '../../git/repositories/update-refs.ts'
import type { Repository } from '../../store/hosting/repositories.ts'
import type { SharedRepositories } from './shared-repositories.ts'

// Every path that touches a repository of the built-in host goes through here.

/** Where the repositories of the built-in host lie. */
export interface RepositoryPlaces {
  /** The folder of the bare repositories of this machine. */
  repositoryFolder: string
  /** Where several processes share a database and no folder; absent with the embedded database, whose folder is the truth. */
  sharedRepositories?: SharedRepositories | undefined
}

type PlacedRepository = Pick<Repository, 'id' | 'name' | 'folder'>

/**
 * The bare repository on this machine, up to date, for reading and for writing objects that nothing names yet.
 *
 * @returns Its path, for `GIT_DIR`.
 * @throws {AppError} `repository_not_found`.
 */
export async function openRepository(
  { repositoryFolder, sharedRepositories }: RepositoryPlaces,
  repository: PlacedRepository,
  signal: AbortSignal,
): Promise<string> {
  await sharedRepositories?.bring(repository, signal)
  return join(repositoryFolder, repository.folder)
}

/**
 * Moves several refs together or none of them, for every process. What they are to name must be in the repository that
 * `openRepository` gave.
 *
 * @returns Whether they were moved; false when one of them names something else than expected.
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
  // One alone is tried again where a killed process has left its lock.
  if (isOne) return updateRef({ ...first, expected: first.expected ?? null, gitDirectory }, signal)
  return updateRefs({ gitDirectory, changes }, signal)
}
