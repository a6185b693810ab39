import { AppError } from '../../contract/app-error.ts'
import { type MergeMethod, writeMergeMessage } from '../../contract/pull-requests.ts'
import { findMergeBase, listCommits } from '../../git/commits/diff-commits.ts'
import { mergeTrees } from '../../git/commits/merge-commits.ts'
import { writeCommit } from '../../git/commits/write-commit.ts'
import { nameMerger, type PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import { addComment } from './add-comment.ts'
import type { BuiltinHostDeps, ReconcileDeps } from './builtin-host-deps.ts'
import { findHold } from './find-hold.ts'
import { mergeConflict } from './merge-conflict.ts'
import { serviceIdentity } from './person.ts'
import { branchRef, headRef, mergedRef } from './pull-request-refs.ts'
import { recordMerge, type ReconciledPullRequest, reconcilePullRequest } from './reconcile-pull-request.ts'
import { requireOpen, requireReviewed } from './require-reviewed.ts'
import { moveRefs, type RepositoryPlaces } from './with-repository.ts'

export interface MergePullRequestInput {
  id: string
  /** Full id of the newest commit that the reviewer has seen; null to merge whatever is there. */
  expectedHead: string | null
  /** Display name of the person merging. */
  by: string
  /** An owner's reason to merge a draft, or despite a failed check; null for none. */
  override: string | null
  /** `squash` makes one commit of all. Default: a merge commit. */
  method?: MergeMethod
  /** Message of the commit; null for the usual one. */
  message?: string | null
}

/** The base may move between check and merge, each time because of another merge. */
const attemptsMax = 10

/**
 * Merges a pull request with one commit, which becomes the tip of the base branch if neither branch has moved.
 *
 * The base branch and the ref marking the merge move atomically, so that a process killed at any point has merged
 * completely or not at all.
 *
 * @returns The merged record.
 * @throws {AppError} `pull_request_not_found`; `merge_conflict`; `conflict` if it has ended, its branch is gone or is
 *   not at `expectedHead`, there is nothing to merge, or something holds it up and no reason is given.
 */
export async function mergePullRequest(
  deps: ReconcileDeps & HoldDeps,
  { id, expectedHead, by, override, method = 'merge', message = null }: MergePullRequestInput,
  signal: AbortSignal,
): Promise<PullRequestRecord> {
  let isRecorded = false
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const reconciled = await reconcilePullRequest(deps, id, signal)
    requireOpen(reconciled)
    requireReviewed(reconciled, expectedHead)
    // Again each time: what is merged then may not be what was approved.
    isRecorded = await requireReady(deps, reconciled.record, { by, override, isRecorded })
    const merge = await writeMerge(deps, reconciled, { method, message }, signal)
    if (await moveBranches(deps, reconciled, merge)) {
      const { record } = await recordMerge(deps, reconciled, { ...merge, by })
      if (record.endedBy === by) return record
      await nameMerger(deps.store.durable, id, by)
      return { ...record, endedBy: by }
    }
  }
  throw new AppError('conflict', 'The branches of this pull request keep changing. Try again in a moment.')
}

type HoldDeps = Pick<BuiltinHostDeps, 'store' | 'clock' | 'ids' | 'requiresApproval'>

/** The reason is recorded before the merge, so that no merge goes without one. @returns Whether it was recorded. */
async function requireReady(
  deps: HoldDeps,
  record: PullRequestRecord,
  { by, override, isRecorded }: Pick<MergePullRequestInput, 'by' | 'override'> & { isRecorded: boolean },
): Promise<boolean> {
  const hold = await findHold(deps, record)
  if (hold === null || isRecorded) return isRecorded
  if (override === null) {
    throw new AppError('conflict', `${hold} Resolve that, or have an owner merge it with a reason in "override".`)
  }
  const body = `${hold} ${by} decided to merge it all the same: ${override}`
  await addComment(deps, { id: record.id, body, author: by })
  return true
}

interface Merge {
  mergeCommit: string
  headCommit: string
  baseCommit: string
}

async function writeMerge(
  { clock, mergeFile }: Pick<ReconcileDeps, 'clock' | 'mergeFile'>,
  { record, gitDirectory }: ReconciledPullRequest,
  { method, message }: Required<Pick<MergePullRequestInput, 'method' | 'message'>>,
  signal: AbortSignal,
): Promise<Merge> {
  const { headCommit, baseCommit } = record
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
  const text = message ?? writeMergeMessage(method, record)
  const at = clock.now()
  const service = { ...serviceIdentity, at }
  const written = { gitDirectory, tree: merged.tree, committer: service }
  if (method === 'merge') {
    // The service commits every merge; the pull request records who asked for it.
    const input = { ...written, parents: [baseCommit, headCommit] as const, author: service, message: text }
    return { mergeCommit: await writeCommit(input, signal), headCommit, baseCommit }
  }
  const authors = await listAuthors({ gitDirectory, from: mergeBase, to: headCommit }, signal)
  const [author = serviceIdentity, ...others] = authors
  const input = { ...written, parents: [baseCommit], author: { ...author, at }, message: addAuthors(text, others) }
  return { mergeCommit: await writeCommit(input, signal), headCommit, baseCommit }
}

const authorsMax = 50

/** Authors of commits, the first one first. */
async function listAuthors(range: { gitDirectory: string; from: string; to: string }, signal: AbortSignal) {
  const commits = await listCommits({ ...range, limit: 1_000 }, signal)
  const authors = commits.toReversed().map(({ authorName: name, authorEmail: email }) => ({ name, email }))
  return [...new Map(authors.map((author) => [author.email, author])).values()].slice(0, authorsMax)
}

function addAuthors(message: string, authors: readonly { name: string; email: string }[]): string {
  const trailers = authors.map(({ name, email }) => `Co-authored-by: ${name} <${email}>`)
  return trailers.length === 0 ? message : `${message}\n\n${trailers.join('\n')}`
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
