import { AppError } from '../contract/app-error.ts'
import type { CodeHostCapabilities, CodeHostKind } from '../contract/code-hosts.ts'

/** What a user of the host may do with the repository; each level includes those before it. */
export type RepositoryPermission = 'none' | 'read' | 'write' | 'admin'

/** Whether a repository's credential permits one of the service's operations. */
export interface AccessCheck {
  /** The host's name for it, such as `Contents: write`. */
  permission: string
  /** `unknown` if the host did not answer, or reveals it only on a write. */
  state: 'granted' | 'missing' | 'unknown'
  /** A sentence: what to change and where; if granted, what it is needed for. */
  message: string
}

/** A project's repository, as used by jobs. */
export interface HostedSource {
  /** `default/docs`, for display and for a job's `source.repository`. */
  repository: string
  /** Default base of pull requests, without `refs/heads/`. */
  defaultBranch: string
}

/** A branch and its current commit. */
export interface BranchTip {
  /** Without `refs/heads/`. */
  branch: string
  /** A full commit id. */
  commit: string
}

/** A bare repository on this machine that has a commit with all its files. */
export interface BaseRepository {
  /** Absolute path, for `GIT_DIR`. New objects are written here and stay private until pushed. */
  gitDirectory: string
  /**
   * Fetches the history needed to find where two commits diverged on the host: a shallow copy lacks it. A no-op if the
   * repository is complete, or if they diverged too long ago.
   */
  joinHistory(commits: readonly [string, string], signal: AbortSignal): Promise<void>
  /** Do not change the repository's branch tips in it; use `pushBranch`. Idempotent. */
  close(): Promise<void>
}

export interface PushBranchInput {
  /** Without `refs/heads/`; never the default branch. */
  branch: string
  /** Full id of a commit in the repository that `openBase` returned. */
  commit: string
  /** Full id of the branch's expected commit, or null if the branch must not exist yet. */
  expected: string | null
}

export type PushOutcome =
  /**
   * The branch is at the change, through this call or an earlier one whose result was lost. `commit` is the given
   * commit, or the host's own with the same files, message and parents if the host signs its commits.
   */
  | { outcome: 'pushed'; commit: string }
  /** Somebody else moved, created or deleted the branch. `commit` is its current commit, or null if it is gone. */
  | { outcome: 'moved'; commit: string | null }

/** The branch contains a merge, which the host takes through git only. Push commits in a line instead. */
export class UnpushableMergeError extends AppError {
  constructor(host: string) {
    super(
      'invalid_request',
      `The branch contains a merge, which the API of ${host} cannot create. Let the token push through git.`,
    )
  }
}

export type PullRequestState = 'open' | 'merged' | 'closed'

/** The outcome of a check, for the people who decide on the pull request. */
export interface PullRequestCheck {
  /** Short and stable, such as `Links`; at most 100 characters. */
  name: string
  state: 'passed' | 'warning' | 'failed'
  /** Sentences in plain text, at most 4,000 characters. */
  summary: string
}

export interface PullRequest {
  /** Identifies it in calls to the same host. */
  id: string
  /** Counts from 1 within the repository. */
  number: number
  /** Web page for people. */
  url: string
  state: PullRequestState
  isDraft: boolean
  /** Whether its branch is in another repository, whose authors need no permission here. True if the host does not say. */
  isFromFork: boolean
  title: string
  /** Markdown. */
  body: string
  /** The branch with the changes. Once the pull request has ended, `commit` is the branch's last one. */
  head: BranchTip
  /** The branch to merge into, as of the last read. */
  base: BranchTip
  /** The merge commit; null unless merged. */
  mergeCommit: string | null
  /** Whether it merges without conflicts; null once it has ended, or if the host does not (yet) say. */
  isMergeable: boolean | null
  /** UTC milliseconds. */
  createdAt: number
  updatedAt: number
}

export interface OpenPullRequestInput {
  /** The branch with the changes, already pushed. */
  branch: string
  /** The branch to merge into; null for the default branch. */
  base: string | null
  /** One line; cut to the host's limit, at most 200 characters. */
  title: string
  /** Markdown; cut to 60,000 characters. */
  body: string
  isDraft: boolean
  /** The job that opened it; null if a person did. */
  jobId: string | null
  /** The person, as `user:…` or `key:…`, on hosts where approvals are ours; null by default. */
  authorId?: string | null
  checks: readonly PullRequestCheck[]
}

export interface OpenIssueInput {
  mark: string
  title: string
  body: string
}

export interface UpdatePullRequestInput {
  id: string
  title?: string
  body?: string
  isDraft?: boolean
  /** Replaces all checks. */
  checks?: readonly PullRequestCheck[]
}

/**
 * One repository with its pull requests on a code host.
 *
 * Every call that changes something is idempotent: repeating it with the same input after a crash ends in the same
 * state. All calls leave the process or start git, so each takes a signal; each has its own time limit.
 *
 * @throws {AppError} from every call, with a sentence for the owner: `invalid_request` if the repository's state does
 *   not allow the call, `pull_request_not_found` for an id unknown to the host, and `ForgeError` if a remote host
 *   refuses or does not answer.
 */
export interface CodeHost {
  readonly kind: CodeHostKind
  readonly capabilities: CodeHostCapabilities
  readSource(signal: AbortSignal): Promise<HostedSource>
  /**
   * The current tip of a branch on the host.
   *
   * @param name Null for the default branch.
   * @throws {AppError} `invalid_request` if the branch does not exist or git does not allow its name.
   */
  resolveBranch(name: string | null, signal: AbortSignal): Promise<BranchTip>
  /** Brings a commit to this machine. @throws {AppError} `invalid_request` if the host has no such commit. */
  openBase(commit: string, signal: AbortSignal): Promise<BaseRepository>
  /** Compare-and-set of a branch. @throws {AppError} `invalid_request` for the default branch and for invalid names. */
  pushBranch(input: PushBranchInput, signal: AbortSignal): Promise<PushOutcome>
  /** The open pull request of a branch, else the one that ended last, else null. */
  findPullRequest(input: { branch: string }, signal: AbortSignal): Promise<PullRequest | null>
  /** Opens a pull request, or updates and returns the open one of the branch: there is at most one per branch. */
  openPullRequest(input: OpenPullRequestInput, signal: AbortSignal): Promise<PullRequest>
  /** Updates the given fields. A merged or closed pull request keeps its state. */
  updatePullRequest(input: UpdatePullRequestInput, signal: AbortSignal): Promise<PullRequest>
  readPullRequest(id: string, signal: AbortSignal): Promise<PullRequest>
  /** Closes without merging; no effect if already ended. */
  closePullRequest(id: string, signal: AbortSignal): Promise<PullRequest>
  /**
   * Opens an issue, unless one of the newest hundred begins with the mark.
   *
   * @param input.mark An HTML comment that identifies the issue.
   * @param input.body Markdown; cut to 60,000 characters.
   * @throws {AppError} `invalid_request` on hosts without issues.
   */
  openIssue(input: OpenIssueInput, signal: AbortSignal): Promise<{ url: string }>
  /**
   * Not idempotent: each call adds a comment.
   *
   * @param input.body Markdown; cut to 60,000 characters.
   * @returns The id for `editComment`.
   */
  comment(input: { id: string; body: string }, signal: AbortSignal): Promise<{ commentId: string }>
  /** Replaces the text of a comment made by `comment`. @throws {AppError} `invalid_request` if it does not exist. */
  editComment(input: { id: string; commentId: string; body: string }, signal: AbortSignal): Promise<void>
  /**
   * The oldest comment that begins with a mark. The mark must be unguessable, so that nobody can plant one earlier.
   *
   * @returns Null if there is none among the first thousand.
   */
  findComment(input: { id: string; mark: string }, signal: AbortSignal): Promise<{ commentId: string } | null>
  /**
   * Reports the outcome of a check on a commit of a pull request, in place of an earlier one of its name. A no-op where
   * the host has no checks or the credential may not write them.
   */
  reportCheck(input: { id: string; commit: string; check: PullRequestCheck }, signal: AbortSignal): Promise<void>
  /** Creates labels that the repository lacks. A no-op on hosts without labels. */
  addLabels(input: { id: string; labels: readonly string[] }, signal: AbortSignal): Promise<void>
  /** @param input.reviewers User names on the host. A no-op on hosts without reviews. */
  requestReviewers(input: { id: string; reviewers: readonly string[] }, signal: AbortSignal): Promise<void>
  /** @param user The host's user name; on the built-in host the user id, or the id of a `Person`. */
  readPermission(user: string, signal: AbortSignal): Promise<RepositoryPermission>
  /**
   * Has the host send pushes, pull requests and comments to an address. A webhook to the same address is updated, never
   * duplicated. A no-op on hosts without webhooks.
   *
   * @throws {ForgeError} `forbidden` or `not-found` if the credential lacks the permission.
   */
  ensureWebhook(input: { url: string; secret: string }, signal: AbortSignal): Promise<'added' | 'updated' | 'unneeded'>
  /**
   * Checks the credential with one real request per permission, changing nothing. Findings are returned, never thrown.
   */
  checkAccess(signal: AbortSignal): Promise<AccessCheck[]>
}
