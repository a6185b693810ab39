import { diffCommits, findMergeBase } from '../../git/commits/diff-commits.ts'
import type { DiffSide } from '../../contract/pull-request-review.ts'
import type { Repository } from '../../store/hosting/repositories.ts'
import type { ReconcileDeps } from './builtin-host-deps.ts'
import { reconcilePullRequest } from './reconcile-pull-request.ts'

/** The two commits that a pull request compares: where its branch left the base, and its newest one. */
export interface PullRequestRange extends Readonly<Record<DiffSide, string>> {
  gitDirectory: string
  repository: Repository
}

/** @throws {AppError} `pull_request_not_found`. */
export async function readPullRequestRange(
  deps: ReconcileDeps,
  id: string,
  signal: AbortSignal,
): Promise<PullRequestRange> {
  const { record, repository, gitDirectory } = await reconcilePullRequest(deps, id, signal)
  const { headCommit: after, baseCommit } = record
  const before = (await findMergeBase({ gitDirectory, ours: baseCommit, theirs: after }, signal)) ?? baseCommit
  return { gitDirectory, repository, before, after }
}

/** All changed files, without their patches. */
export async function listChangedFiles({ gitDirectory, before, after }: PullRequestRange, signal: AbortSignal) {
  const input = { gitDirectory, from: before, to: after, patchBytesMax: 0, filesMax: Infinity }
  return (await diffCommits(input, signal)).files
}
