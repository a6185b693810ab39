import { AppError } from '../../contract/app-error.ts'
import { findMergeBase } from '../../git/commits/diff-commits.ts'
import { mergeTrees, writeMergeCommit } from '../../git/commits/merge-commits.ts'
import { nameMerger, type PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import type { ReconcileDeps } from './builtin-host-deps.ts'
import { branchRef, headRef, mergedRef } from './pull-request-refs.ts'
import { recordMerge, type ReconciledPullRequest, reconcilePullRequest } from './reconcile-pull-request.ts'
import { moveRefs, type RepositoryPlaces } from './with-repository.ts'

export interface MergePullRequestInput {
  id: string
  /** What the person who decides has read: the full id of the newest commit of the changes; null for whatever is there. */
  expectedHead: string | null
  /** Who merges, for people. */
  by: string
}

/** The base may move between the look and the merge; each time is a merge by somebody else. */
const attemptsMax = 10

/** The service writes the merge commit, whoever asked for it; who that was stands in the pull request. */
const committer = { name: 'Docent', email: 'docent@localhost' }

/**
 * Merges a pull request: a merge commit of both branches becomes the base branch, if both still name what was merged.
 *
 * The branches and the note that it happened move together, so that a process killed at any point has merged wholly
 * or not at all.
 *
 * @returns The record, merged.
 * @throws {AppError} `pull_request_not_found`; `merge_conflict`; `conflict` when it has ended, its branch is gone or
 *   names another commit than `expectedHead`, or there is nothing to merge.
 */
export async function mergePullRequest(
  deps: ReconcileDeps,
  { id, expectedHead, by }: MergePullRequestInput,
  signal: AbortSignal,
): Promise<PullRequestRecord> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const reconciled = await reconcilePullRequest(deps, id, signal)
    requireMergeable(reconciled, expectedHead)
    const merge = await writeMerge(deps, reconciled, signal)
    if (await moveBranches(deps, reconciled, merge)) {
      const { record } = await recordMerge(deps, reconciled, { ...merge, by })
      if (record.endedBy === by) return record
      await nameMerger(deps.store.durable, id, by)
      return { ...record, endedBy: by }
    }
  }
  throw new AppError('conflict', 'The branches of this pull request do not stand still. Try again in a moment.')
}

function requireMergeable({ record, hasBranch }: ReconciledPullRequest, expectedHead: string | null): void {
  if (record.state !== 'open') {
    const message =
      record.state === 'merged'
        ? 'This pull request is merged already.'
        : 'This pull request is closed. Open another one for its branch.'
    throw new AppError('conflict', message)
  }
  if (!hasBranch) {
    throw new AppError(
      'conflict',
      `The branch "${record.headBranch}" is gone. Push it again, or close the pull request.`,
    )
  }
  if (expectedHead !== null && expectedHead !== record.headCommit) {
    throw new AppError('conflict', 'The changes are others than those you have read. Look at them again, then merge.')
  }
}

interface Merge {
  mergeCommit: string
  headCommit: string
  baseCommit: string
}

async function writeMerge(
  { clock }: Pick<ReconcileDeps, 'clock'>,
  { record, gitDirectory }: ReconciledPullRequest,
  signal: AbortSignal,
): Promise<Merge> {
  const { headCommit, baseCommit, number, title } = record
  const sides = { gitDirectory, ours: baseCommit, theirs: headCommit }
  const mergeBase = await findMergeBase(sides, signal)
  if (mergeBase === null) {
    throw new AppError(
      'conflict',
      `"${record.baseBranch}" and "${record.headBranch}" share no history. Begin the branch at the base.`,
    )
  }
  if (mergeBase === headCommit) {
    throw new AppError('conflict', `There is nothing to merge: "${record.baseBranch}" holds all of it already.`)
  }
  const merged = await mergeTrees(sides, signal)
  if (!merged.clean) throw mergeConflict(record, merged.files)
  const author = { ...committer, at: clock.now() }
  const message = `Merge pull request #${number}: ${title}`
  const parents: [string, string] = [baseCommit, headCommit]
  const mergeCommit = await writeMergeCommit({ gitDirectory, tree: merged.tree, parents, author, message }, signal)
  return { mergeCommit, headCommit, baseCommit }
}

const namedFilesMax = 20

function mergeConflict({ baseBranch, headBranch }: PullRequestRecord, files: readonly string[]): AppError {
  const more = files.length > namedFilesMax ? ` and ${files.length - namedFilesMax} more` : ''
  const named = `${files.slice(0, namedFilesMax).join(', ')}${more}`
  return new AppError(
    'merge_conflict',
    `"${baseBranch}" and "${headBranch}" changed the same lines of ${named}. Merge "${baseBranch}" into "${headBranch}", settle them, and push.`,
  )
}

/** Not to be interrupted: git that is stopped while it moves refs has moved some of them. */
const uninterrupted = new AbortController().signal

function moveBranches(places: RepositoryPlaces, reconciled: ReconciledPullRequest, merge: Merge): Promise<boolean> {
  const { record, repository } = reconciled
  const { mergeCommit, headCommit, baseCommit } = merge
  const changes = [
    { ref: branchRef(record.headBranch), to: headCommit, expected: headCommit },
    { ref: branchRef(record.baseBranch), to: mergeCommit, expected: baseCommit },
    { ref: headRef(record.number), to: headCommit, expected: undefined },
    { ref: mergedRef(record.number), to: mergeCommit, expected: null },
  ]
  return moveRefs(places, repository, changes, uninterrupted)
}
