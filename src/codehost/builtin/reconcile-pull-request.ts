import { resolveObjects } from '../../git/resolve-commit.ts'
import {
  endPullRequest,
  getPullRequest,
  type PullRequestRecord,
  updatePullRequest,
} from '../../store/hosting/pull-requests.ts'
import type { Repository } from '../../store/hosting/repositories.ts'
import { pullRequestNotFound } from '../pull-request-number.ts'
import { type ReconcileDeps, repositoryOf } from './builtin-host-deps.ts'
import { branchRef, headRef, mergedRef } from './pull-request-refs.ts'
import { moveRefs, openRepository } from './with-repository.ts'

/** A pull request with its repository, reconciled with the branches. */
export interface ReconciledPullRequest {
  record: PullRequestRecord
  repository: Repository
  gitDirectory: string
  /** False if its branch was deleted; the record keeps the last commit. */
  hasBranch: boolean
}

/**
 * Brings the record of an open pull request up to date with its repository: pushes move branches, and a process killed
 * during a merge may have moved the branch without recording the merge.
 *
 * @throws {AppError} `pull_request_not_found`.
 */
export async function reconcilePullRequest(
  deps: ReconcileDeps,
  id: string,
  signal: AbortSignal,
): Promise<ReconciledPullRequest> {
  const record = await getPullRequest(deps.store.durable, id)
  if (record === null) throw pullRequestNotFound(id)
  const repository = await repositoryOf(deps, record)
  const gitDirectory = await openRepository(deps, repository, signal)
  if (record.state !== 'open') return { record, repository, gitDirectory, hasBranch: false }
  const refs = [
    branchRef(record.headBranch),
    branchRef(record.baseBranch),
    mergedRef(record.number),
    headRef(record.number),
  ]
  const commits = refs.map((ref) => `${ref}^{commit}`)
  const [head = null, base = null, merged = null, kept = null] = await resolveObjects(gitDirectory, commits, signal)
  if (merged !== null) return finishMerge(deps, { record, repository, gitDirectory, hasBranch: false }, merged, signal)
  if (head !== null && head !== kept) {
    await moveRefs(deps, repository, [{ ref: headRef(record.number), to: head, expected: kept }], signal)
  }
  const now = { headCommit: head ?? kept ?? record.headCommit, baseCommit: base ?? record.baseCommit }
  if (now.headCommit !== record.headCommit || now.baseCommit !== record.baseCommit) {
    const updatedAt = now.headCommit === record.headCommit ? record.updatedAt : deps.clock.now()
    await updatePullRequest(deps.store.durable, id, { ...now, updatedAt })
    return { record: { ...record, ...now, updatedAt }, repository, gitDirectory, hasBranch: head !== null }
  }
  return { record, repository, gitDirectory, hasBranch: head !== null }
}

/** Records a merge that already happened in the repository. */
async function finishMerge(
  deps: ReconcileDeps,
  reconciled: ReconciledPullRequest,
  mergeCommit: string,
  signal: AbortSignal,
): Promise<ReconciledPullRequest> {
  const { record, gitDirectory } = reconciled
  const parents = [`${mergeCommit}^1`, `${mergeCommit}^2`]
  const [baseCommit = null, headCommit = null] = await resolveObjects(gitDirectory, parents, signal)
  return recordMerge(deps, reconciled, {
    mergeCommit,
    baseCommit: baseCommit ?? record.baseCommit,
    headCommit: headCommit ?? record.headCommit,
    by: 'Docent, after a merge was interrupted',
  })
}

/** Ends the record of a pull request merged in the repository, and notifies followers of the branch. */
export async function recordMerge(
  deps: ReconcileDeps,
  reconciled: ReconciledPullRequest,
  merge: { mergeCommit: string; baseCommit: string; headCommit: string; by: string },
): Promise<ReconciledPullRequest> {
  const { record, repository } = reconciled
  const { by, ...commits } = merge
  const end = { ...commits, state: 'merged' as const, endedAt: deps.clock.now(), endedBy: by }
  const ended = await endPullRequest(deps.store.durable, record.id, end)
  const written = (await getPullRequest(deps.store.durable, record.id)) ?? { ...record, ...end, updatedAt: end.endedAt }
  if (ended) await deps.onBranchMoved({ repository, branch: record.baseBranch })
  return { ...reconciled, record: written, hasBranch: false }
}
