import { pullRequestNotFound } from '../pull-request-number.ts'
import type { IdSource } from '../../base/ids.ts'
import { AppError } from '../../contract/app-error.ts'
import type { FileMerger } from '../../git/commits/merge-files.ts'
import type { PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import { findRepository, getRepository, type Repository } from '../../store/hosting/repositories.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import type { RepositoryPlaces } from './with-repository.ts'

export interface BuiltinHostDeps extends StoreDeps, RepositoryPlaces {
  ids: IdSource
  randomBytes(size: number): Buffer
  /** Address at which clients reach the server, without a trailing slash. */
  baseUrl: string
  /** Merges files that git cannot merge by lines. */
  mergeFile: FileMerger
  /** Whether a pull request needs the approval of someone other than its author. */
  requiresApproval: boolean
  /** Called after a merge or push moved a branch. */
  onBranchMoved(move: { repository: Repository; branch: string }): Promise<void>
}

/** What reading a pull request needs: a read also records where its branches are now. */
export type ReconcileDeps = RepositoryPlaces & Pick<BuiltinHostDeps, 'store' | 'clock' | 'mergeFile' | 'onBranchMoved'>

/** Web page of a pull request. Anyone with the address may read it, so it must be unguessable. */
export function pullRequestUrl({ baseUrl }: Pick<BuiltinHostDeps, 'baseUrl'>, record: PullRequestRecord): string {
  return `${baseUrl}/pull/${record.secret}/${record.number}`
}

export function cloneUrl({ baseUrl }: Pick<BuiltinHostDeps, 'baseUrl'>, { name }: Pick<Repository, 'name'>): string {
  return `${baseUrl}/git/${name}.git`
}

/** @throws {AppError} `repository_not_found`, also for another organization's repository. */
export async function requireRepository(
  { store }: Pick<BuiltinHostDeps, 'store'>,
  organizationId: string,
  name: string,
): Promise<Repository> {
  const repository = await findRepository(store.durable, name)
  if (repository?.organizationId === organizationId) return repository
  throw new AppError(
    'repository_not_found',
    `There is no repository ${name.slice(0, 200)}. List the repositories to see their names.`,
  )
}

/** The repository of a pull request. Deleting a repository deletes its pull requests. */
export async function repositoryOf(
  { store }: Pick<BuiltinHostDeps, 'store'>,
  record: PullRequestRecord,
): Promise<Repository> {
  const repository = await getRepository(store.durable, record.repositoryId)
  if (repository !== null) return repository
  throw pullRequestNotFound(record.id)
}
