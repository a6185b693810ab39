import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../contract/app-error.ts'
import { createBareRepository } from '../../git/repositories/bare-repository.ts'
import { inTransaction } from '../../store/in-transaction.ts'
import {
  deleteRepository,
  findRepository,
  insertRepository,
  type Repository,
} from '../../store/hosting/repositories.ts'
import { insertRepositoryState, type RepositoryState } from '../../store/hosting/repository-states.ts'
import type { Store } from '../../store/store.ts'
import type { BuiltinHostDeps } from './builtin-host-deps.ts'
import type { RepositoryPlaces } from './with-repository.ts'
import { nameCommand } from '../../config/name-command.ts'

/** Initial branch of new repositories, and the one git clients try first. */
const defaultBranch = 'main'

/** An empty bare repository to fill. */
export interface RepositoryPlace {
  gitDirectory: string
  /** The branch to create, without `refs/heads/`. */
  branch: string
  /** For temporary files while filling; outside any repository. */
  scratchFolder: string
}

/** Creates the first commit of a repository. */
export type FillRepository = (place: RepositoryPlace, signal: AbortSignal) => Promise<void>

type PrepareDeps = RepositoryPlaces & Pick<BuiltinHostDeps, 'ids'>

/** A filled repository on disk that has no name yet. */
export interface PreparedRepository extends Pick<Repository, 'id' | 'folder' | 'defaultBranch'> {
  /** State to record together with the name; null if the folder is authoritative. */
  state: RepositoryState | null
}

/** Creates and fills a repository on disk. It cannot be found until it is inserted into the database. */
export async function prepareRepository(
  { repositoryFolder, sharedRepositories, ids }: PrepareDeps,
  fill: FillRepository,
  signal: AbortSignal,
): Promise<PreparedRepository> {
  const id = ids.prefixed('repo')
  const folder = `${id}.git`
  const gitDirectory = join(repositoryFolder, folder)
  await mkdir(repositoryFolder, { recursive: true, mode: 0o700 })
  try {
    await createBareRepository(gitDirectory)
    await fill({ gitDirectory, branch: defaultBranch, scratchFolder: repositoryFolder }, signal)
    const state = (await sharedRepositories?.prepare({ id, folder }, signal)) ?? null
    return { id, folder, defaultBranch, state }
  } catch (error) {
    await removePrepared({ repositoryFolder }, { folder })
    throw error
  }
}

/** Removes a repository that did not get its name. */
export function removePrepared(
  { repositoryFolder }: Pick<BuiltinHostDeps, 'repositoryFolder'>,
  { folder }: Pick<Repository, 'folder'>,
): Promise<void> {
  return rm(join(repositoryFolder, folder), { recursive: true, force: true })
}

/**
 * Creates a repository of the built-in host.
 *
 * @param input.name Name within the organization: a-z, 0-9 and hyphens.
 * @throws {AppError} `conflict` if the organization already has one of that name; whatever `fill` throws.
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
  const repository = { organizationId, name, createdAt: deps.clock.now() }
  const inserted = await insertPrepared(deps.store.durable, prepared, repository)
  if (inserted !== null) return inserted
  await removePrepared(deps, prepared)
  throw nameTaken(name)
}

/**
 * Names a prepared repository and records its state in one transaction.
 *
 * @returns Null if the name is taken.
 */
export function insertPrepared(
  db: Store['durable'],
  { state, ...prepared }: PreparedRepository,
  named: Omit<Repository, keyof PreparedRepository>,
): Promise<Repository | null> {
  return inTransaction(db, async (transaction) => {
    const repository = { ...prepared, ...named }
    if (!(await insertRepository(transaction, repository))) return null
    if (state !== null) await insertRepositoryState(transaction, state)
    return repository
  })
}

/** Permanently removes a repository with its pull requests. */
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
    `The repository ${name} already exists. Choose another name, or remove it: ${nameCommand(`repository remove ${name}`)}`,
  )
}
