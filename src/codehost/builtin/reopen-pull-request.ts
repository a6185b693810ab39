import { AppError } from '../../contract/app-error.ts'
import { resolveObject } from '../../git/resolve-commit.ts'
import { type PullRequestRecord, reopenPullRequest as reopen } from '../../store/hosting/pull-requests.ts'
import type { ReconcileDeps } from './builtin-host-deps.ts'
import { branchRef } from './pull-request-refs.ts'
import { reconcilePullRequest } from './reconcile-pull-request.ts'

/** @throws {AppError} `conflict` if it is merged, its branch is gone, or its branch has another open pull request. */
export async function reopenPullRequest(
  deps: ReconcileDeps,
  id: string,
  signal: AbortSignal,
): Promise<PullRequestRecord> {
  const { record, gitDirectory } = await reconcilePullRequest(deps, id, signal)
  if (record.state === 'open') return record
  if (record.state === 'merged') {
    throw new AppError('conflict', 'A merged pull request cannot be reopened. Revert it, or open another one.')
  }
  const tip = await resolveObject(gitDirectory, `${branchRef(record.headBranch)}^{commit}`, signal)
  if (tip === null) throw new AppError('conflict', `The branch "${record.headBranch}" is gone. Push it again first.`)
  if (!(await reopen(deps.store.durable, id, deps.clock.now()))) {
    throw new AppError('conflict', `The branch "${record.headBranch}" has another open pull request. Use that one.`)
  }
  return (await reconcilePullRequest(deps, id, signal)).record
}
