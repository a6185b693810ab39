import { listRefs } from '../../git/repositories/refs.ts'
import { listOpenPullRequests } from '../../store/hosting/pull-requests.ts'
import type { Repository } from '../../store/hosting/repositories.ts'
import type { ReconcileDeps } from './builtin-host-deps.ts'
import { reconcilePullRequest } from './reconcile-pull-request.ts'
import { openRepository, type RepositoryPlaces } from './with-repository.ts'

/** Commit ids by branch name. */
export type BranchTips = ReadonlyMap<string, string>

const prefix = 'refs/heads/'

export async function readBranchTips(
  deps: RepositoryPlaces,
  repository: Repository,
  signal: AbortSignal,
): Promise<BranchTips> {
  const refs = await listRefs({ gitDirectory: await openRepository(deps, repository, signal), prefix }, signal)
  return new Map(refs.map(({ ref, commit }) => [ref.slice(prefix.length), commit]))
}

/**
 * Follows up on a completed push: refreshes the pull requests and notifies followers of the branches that moved.
 *
 * @param before The tips before the push.
 */
export async function followPush(
  deps: ReconcileDeps,
  { repository, before }: { repository: Repository; before: BranchTips },
  signal: AbortSignal,
): Promise<void> {
  const after = await readBranchTips(deps, repository, signal)
  const moved = new Set(
    [...before.keys(), ...after.keys()].filter((branch) => before.get(branch) !== after.get(branch)),
  )
  const open = await listOpenPullRequests(deps.store.durable, repository.id)
  for (const { id, headBranch, baseBranch } of open) {
    if (moved.has(headBranch) || moved.has(baseBranch)) await reconcilePullRequest(deps, id, signal)
  }
  for (const branch of moved) {
    if (after.has(branch)) await deps.onBranchMoved({ repository, branch })
  }
}
