import { AppError } from '../../contract/app-error.ts'
import type { ReconciledPullRequest } from './reconcile-pull-request.ts'

/** @throws {AppError} `conflict` if it has ended or its branch is gone. */
export function requireOpen({ record, hasBranch }: ReconciledPullRequest): void {
  if (record.state === 'merged') throw new AppError('conflict', 'This pull request is already merged.')
  if (record.state === 'closed') throw new AppError('conflict', 'This pull request is closed. Reopen it first.')
  if (hasBranch) return
  throw new AppError('conflict', `The branch "${record.headBranch}" is gone. Push it again, or close the pull request.`)
}

/**
 * @param head The commit that was reviewed; null for any.
 * @throws {AppError} `conflict` if it is no longer the newest.
 */
export function requireReviewed({ record }: Pick<ReconciledPullRequest, 'record'>, head: string | null): void {
  if (head === null || head === record.headCommit) return
  throw branchMoved()
}

export function branchMoved(): AppError {
  return new AppError(
    'conflict',
    'The changes have been updated since you reviewed them. Load the page again, review them, then repeat this.',
  )
}
