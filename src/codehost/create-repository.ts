import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../contract/app-error.ts'
import { createBareRepository } from '../git/bare-repository.ts'
import { deleteRepository, findRepository, insertRepository, type Repository } from '../store/repositories.ts'
import type { BuiltinHostDeps } from './builtin-host-deps.ts'

/** Where new repositories begin; git clients look for it first. */
const defaultBranch = 'main'

/** An empty bare repository that is to be filled. */
export interface RepositoryPlace {
  gitDirectory: string
  /** The branch that is to be made, without `refs/heads/`. */
  branch: string
  /** For files that are needed while it is filled; outside of every repository. */
  scratchFolder: string
}

/** Makes the first commit of a repository. */
export type FillRepository = (place: RepositoryPlace, signal: AbortSignal) => Promise<void>

type PrepareDeps = Pick<BuiltinHostDeps, 'repositoryFolder' | 'ids'>

/** A filled repository on the disk that has no name yet. */
export type PreparedRepository = Pick<Repository, 'id' | 'folder' | 'defaultBranch'>

/** Makes a repository on the disk and fills it. Nobody finds it before it is inserted into the database. */
export async function prepareRepository(
  { repositoryFolder, ids }: PrepareDeps,
  fill: FillRepository,
  signal: AbortSignal,
): Promise<PreparedRepository> {
  const id = ids.prefixed('repo')
  const prepared = { id, folder: `${id}.git`, defaultBranch }
  const gitDirectory = join(repositoryFolder, prepared.folder)
  await mkdir(repositoryFolder, { recursive: true, mode: 0o700 })
  try {
    await createBareRepository(gitDirectory, signal)
    await fill({ gitDirectory, branch: defaultBranch, scratchFolder: repositoryFolder }, signal)
    return prepared
  } catch (error) {
    await removePrepared({ repositoryFolder }, prepared)
    throw error
  }
}

/** Removes a repository that did not get its name. */
export function removePrepared(
  { repositoryFolder }: Pick<BuiltinHostDeps, 'repositoryFolder'>,
  { folder }: PreparedRepository,
): Promise<void> {
  return rm(join(repositoryFolder, folder), { recursive: true, force: true })
}

/**
 * Makes a repository of the built-in host.
 *
 * @param input.name Its name within the organization: a-z, 0-9 and hyphens.
 * @throws {AppError} `conflict` when the organization has one of that name; what `fill` throws.
 */
export async function createRepository(
  deps: PrepareDeps & Pick<BuiltinHostDeps, 'store' | 'clock'>,
  input: { organizationId: string; name: string; fill: FillRepository },
  signal: AbortSignal,
): Promise<Repository> {
  const { organizationId } = input
  const name = `${organizationId}/${input.name}`
  if ((await findRepository(deps.store.durable, name)) !== null) throw nameTaken(name)
  const prepared = await prepareRepository(deps, input.fill, signal)
  const repository = { ...prepared, organizationId, name, createdAt: deps.clock.now() }
  if (await insertRepository(deps.store.durable, repository)) return repository
  await removePrepared(deps, prepared)
  throw nameTaken(name)
}

/** Removes a repository with its pull requests, for good. */
export async function removeRepository(
  deps: Pick<BuiltinHostDeps, 'store' | 'repositoryFolder'>,
  repository: Repository,
): Promise<void> {
  await deleteRepository(deps.store.durable, repository.id)
  await removePrepared(deps, repository)
}

function nameTaken(name: string): AppError {
  return new AppError(
    'conflict',
    `There is a repository ${name} already. Choose another name, or remove it: docent repository remove ${name}`,
  )
}
