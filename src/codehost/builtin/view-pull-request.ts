import {
  type CommitSummary,
  diffCommits,
  type FileDiff,
  findMergeBase,
  listCommits,
} from '../../git/commits/diff-commits.ts'
import { mergeTrees } from '../../git/commits/merge-commits.ts'
import { listComments, type PullRequestComment, type PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import { listReviews, listThreads, type PullRequestReview } from '../../store/hosting/pull-request-reviews.ts'
import type { Repository } from '../../store/hosting/repositories.ts'
import type { BuiltinHostDeps, ReconcileDeps } from './builtin-host-deps.ts'
import { findHold } from './find-hold.ts'
import { type PlacedThread, placeThreads } from './place-threads.ts'
import { type ReconciledPullRequest, reconcilePullRequest } from './reconcile-pull-request.ts'

/** Most that a page shows of the changes; the rest is cut, with a note. */
const patchBytesMax = 400_000
const filesMax = 200
const commitsMax = 100
export const commentsMax = 500
export const threadsMax = 200
const reviewsMax = 100

export type Mergeability =
  | { kind: 'mergeable' }
  /** Paths that both branches changed in conflicting ways. */
  | { kind: 'conflict'; files: string[] }
  | { kind: 'nothing-to-merge' }
  | { kind: 'branch-gone' }
  /** The branches share no history. */
  | { kind: 'unrelated' }
  | { kind: 'ended' }

/** A pull request with everything its page shows. */
export interface PullRequestView {
  record: PullRequestRecord
  repository: Repository
  /** Oldest first, at most 100. */
  commits: CommitSummary[]
  /** Changes since the branch left the base, at most 200 files and 400 kB of patches. */
  files: FileDiff[]
  filesTotal: number
  /** Oldest first, at most 500, those of threads included. */
  comments: PullRequestComment[]
  /** Oldest first, at most 200. */
  threads: PlacedThread[]
  /** Newest first, at most 100. */
  reviews: PullRequestReview[]
  /** Why it does not merge without an owner's override; null if it may, or has ended. */
  hold: string | null
  /** Whether the base branch has commits that the branch lacks. */
  isBehind: boolean
  mergeability: Mergeability
}

export type ViewDeps = ReconcileDeps & Pick<BuiltinHostDeps, 'requiresApproval'>

/** @throws {AppError} `pull_request_not_found`. */
export async function viewPullRequest(
  deps: ViewDeps,
  { id, ignoresWhitespace = false }: { id: string; ignoresWhitespace?: boolean },
  signal: AbortSignal,
): Promise<PullRequestView> {
  const reconciled = await reconcilePullRequest(deps, id, signal)
  const { record, repository, gitDirectory } = reconciled
  const { headCommit: to, baseCommit } = record
  const db = deps.store.durable
  const mergeBase = await findMergeBase({ gitDirectory, ours: baseCommit, theirs: to }, signal)
  const from = mergeBase ?? baseCommit
  const [commits, diff, comments, threads, reviews, hold, mergeability] = await Promise.all([
    listCommits({ gitDirectory, from, to, limit: commitsMax }, signal),
    diffCommits({ gitDirectory, from, to, patchBytesMax, filesMax, ignoresWhitespace }, signal),
    listComments(db, id, commentsMax),
    listThreads(db, id, threadsMax).then((all) => placeThreads(all, { gitDirectory, before: from, after: to }, signal)),
    listReviews(db, id, reviewsMax),
    record.state === 'open' ? findHold(deps, record) : null,
    findMergeability(deps, { reconciled, mergeBase }, signal),
  ])
  const isBehind = record.state === 'open' && mergeBase !== null && mergeBase !== baseCommit
  const discussion = { comments, threads, reviews, hold, isBehind }
  return { record, repository, commits: commits.toReversed(), ...diff, ...discussion, mergeability }
}

async function findMergeability(
  { mergeFile }: Pick<ReconcileDeps, 'mergeFile'>,
  { reconciled, mergeBase }: { reconciled: ReconciledPullRequest; mergeBase: string | null },
  signal: AbortSignal,
): Promise<Mergeability> {
  const { record, gitDirectory, hasBranch } = reconciled
  if (record.state !== 'open') return { kind: 'ended' }
  if (!hasBranch) return { kind: 'branch-gone' }
  if (mergeBase === null) return { kind: 'unrelated' }
  if (mergeBase === record.headCommit) return { kind: 'nothing-to-merge' }
  const { baseCommit: ours, headCommit: theirs } = record
  const merged = await mergeTrees({ gitDirectory, ours, theirs, mergeFile }, signal)
  return merged.clean ? { kind: 'mergeable' } : { kind: 'conflict', files: merged.files }
}
