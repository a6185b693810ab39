import { AppError } from '../../contract/app-error.ts'
import { describeHold } from '../../contract/pull-requests.ts'
import { findMergeBase } from '../../git/commits/diff-commits.ts'
import { mergeTrees, writeMergeCommit } from '../../git/commits/merge-commits.ts'
import { nameMerger, type PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import { addComment } from './add-comment.ts'
import type { BuiltinHostDeps, ReconcileDeps } from './builtin-host-deps.ts'
import { branchRef, headRef, mergedRef } from './pull-request-refs.ts'
import { recordMerge, type ReconciledPullRequest, reconcilePullRequest } from './reconcile-pull-request.ts'
import { moveRefs, type RepositoryPlaces } from './with-repository.ts'

export interface MergePullRequestInput {
  id: string
  /** Full id of the newest commit that the reviewer has seen; null to merge whatever is there. */
  expectedHead: string | null
  /** Display name of the person merging. */
  by: string
  /** An owner's reason to merge a draft, or despite a failed check; null for none. */
  override: string | null
}

/** The base may move between check and merge, each time because of another merge. */
const attemptsMax = 10

/** The service commits every merge; the pull request records who asked for it. */
const committer = { name: 'Docent', email: 'docent@localhost' }

/**
 * Merges a pull request with a merge commit, which becomes the tip of the base branch if neither branch has moved.
 *
 * The base branch and the ref marking the merge move atomically, so that a process killed at any point has merged
 * completely or not at all.
 *
 * @returns The merged record.
 * @throws {AppError} `pull_request_not_found`; `merge_conflict`; `conflict` if it has ended, its branch is gone or is
 *   not at `expectedHead`, there is nothing to merge, or it is a draft or a check failed and no reason is given.
 */
export async function mergePullRequest(
  deps: ReconcileDeps & Pick<BuiltinHostDeps, 'ids'>,
  { id, expectedHead, by, override }: MergePullRequestInput,
  signal: AbortSignal,
): Promise<PullRequestRecord> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const reconciled = await reconcilePullRequest(deps, id, signal)
    requireMergeable(reconciled, expectedHead)
    if (attempt === 0) await requireReady(deps, reconciled.record, { by, override })
    const merge = await writeMerge(deps, reconciled, signal)
    if (await moveBranches(deps, reconciled, merge)) {
      const { record } = await recordMerge(deps, reconciled, { ...merge, by })
      if (record.endedBy === by) return record
      await nameMerger(deps.store.durable, id, by)
      return { ...record, endedBy: by }
    }
  }
  throw new AppError('conflict', 'The branches of this pull request keep changing. Try again in a moment.')
}

function requireMergeable({ record, hasBranch }: ReconciledPullRequest, expectedHead: string | null): void {
  if (record.state !== 'open') {
    const message =
      record.state === 'merged'
        ? 'This pull request is already merged.'
        : 'This pull request is closed. Open a new one for its branch.'
    throw new AppError('conflict', message)
  }
  if (!hasBranch) {
    throw new AppError(
      'conflict',
      `The branch "${record.headBranch}" is gone. Push it again, or close the pull request.`,
    )
  }
  if (expectedHead !== null && expectedHead !== record.headCommit) {
    throw new AppError(
      'conflict',
      'The changes have been updated since you reviewed them. Review them again, then merge.',
    )
  }
}

/** The reason is recorded before the merge, so that no merge goes without one. */
async function requireReady(
  deps: Pick<BuiltinHostDeps, 'store' | 'clock' | 'ids'>,
  { id, isDraft: draft, checks }: PullRequestRecord,
  { by, override }: Pick<MergePullRequestInput, 'by' | 'override'>,
): Promise<void> {
  const hold = describeHold({ draft, checks })
  if (hold === null) return
  if (override === null) {
    throw new AppError('conflict', `${hold} Resolve that, or have an owner merge it with a reason in "override".`)
  }
  await addComment(deps, { id, body: `${hold} ${by} decided to merge it all the same: ${override}`, author: by })
}

interface Merge {
  mergeCommit: string
  headCommit: string
  baseCommit: string
}

async function writeMerge(
  { clock, mergeFile }: Pick<ReconcileDeps, 'clock' | 'mergeFile'>,
  { record, gitDirectory }: ReconciledPullRequest,
  signal: AbortSignal,
): Promise<Merge> {
  const { headCommit, baseCommit, number, title } = record
  const sides = { gitDirectory, ours: baseCommit, theirs: headCommit }
  const mergeBase = await findMergeBase(sides, signal)
  if (mergeBase === null) {
    throw new AppError(
      'conflict',
      `"${record.baseBranch}" and "${record.headBranch}" share no history. Start the branch from the base.`,
    )
  }
  if (mergeBase === headCommit) {
    throw new AppError('conflict', `There is nothing to merge: "${record.baseBranch}" already contains these changes.`)
  }
  const merged = await mergeTrees({ ...sides, mergeFile }, signal)
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
    `"${baseBranch}" and "${headBranch}" changed the same lines of ${named}. Merge "${baseBranch}" into "${headBranch}", resolve the conflicts, and push.`,
  )
}

/** Not cancellable: git interrupted while moving refs may have moved only some of them. */
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
