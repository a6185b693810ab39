import { pullRequestNotFound } from '../pull-request-number.ts'
import type { Clock } from '../../base/clock.ts'
import type { IdSource } from '../../base/ids.ts'
import { AppError } from '../../contract/app-error.ts'
import type { PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import { findRepository, getRepository, type Repository } from '../../store/hosting/repositories.ts'
import type { Store } from '../../store/store.ts'
import type { RepositoryPlaces } from './with-repository.ts'

export interface BuiltinHostDeps extends RepositoryPlaces {
  store: Store
  clock: Clock
  ids: IdSource
  randomBytes(size: number): Buffer
  /** Where clients reach the server, without a slash at the end. */
  baseUrl: string
  /** Called after a branch was moved by a merge or a push. */
  onBranchMoved(move: { repository: Repository; branch: string }): Promise<void>
}

/** What looking at a pull request takes: the look writes down where its branches are now. */
export type ReconcileDeps = RepositoryPlaces & Pick<BuiltinHostDeps, 'store' | 'clock' | 'onBranchMoved'>

/** Where people read a pull request: whoever has the address may, so that it is not to be guessed. */
export function pullRequestUrl({ baseUrl }: Pick<BuiltinHostDeps, 'baseUrl'>, record: PullRequestRecord): string {
  return `${baseUrl}/pull/${record.secret}/${record.number}`
}

export function cloneUrl({ baseUrl }: Pick<BuiltinHostDeps, 'baseUrl'>, { name }: Pick<Repository, 'name'>): string {
  return `${baseUrl}/git/${name}.git`
}

/** @throws {AppError} `repository_not_found`, also for a repository of another organization. */
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

/** The repository of a pull request, which goes only together with it. */
export async function repositoryOf(
  { store }: Pick<BuiltinHostDeps, 'store'>,
  record: PullRequestRecord,
): Promise<Repository> {
  const repository = await getRepository(store.durable, record.repositoryId)
  if (repository !== null) return repository
  throw pullRequestNotFound(record.id)
}
