import type { CodeHostCapabilities, CodeHostKind } from '../contract/code-hosts.ts'

/** What a user of the host may do with the repository; each includes those before it. */
export type RepositoryPermission = 'none' | 'read' | 'write' | 'admin'

/** Whether the credential of a repository opens one of the things that the service does with it. */
export interface AccessCheck {
  /** As the host names it, such as `Contents: write`. */
  permission: string
  /** `unknown` where the host did not answer, or says it only when something is changed. */
  state: 'granted' | 'missing' | 'unknown'
  /** A sentence that says what to change where; for a granted one what it is needed for. */
  message: string
}

/** The repository of a project, as jobs name it. */
export interface HostedSource {
  /** `default/docs`, for people and for `source.repository` of a job. */
  repository: string
  /** The branch that pull requests are merged into when no other is named, without `refs/heads/`. */
  defaultBranch: string
}

/** A branch and what it names now. */
export interface BranchTip {
  /** Without `refs/heads/`. */
  branch: string
  /** A full commit id. */
  commit: string
}

/** A bare repository on this machine that holds a commit with all its files. */
export interface BaseRepository {
  /** Absolute path, for `GIT_DIR`. New objects are written here; they are seen by others only once they are pushed. */
  gitDirectory: string
  /**
   * Brings here what it takes to see where two commits of the host part: a copy of the newest commits knows no history.
   * Nothing where the repository is whole, and where they part too long ago.
   */
  joinHistory(commits: readonly [string, string], signal: AbortSignal): Promise<void>
  /** The branch tips of the repository are not to be changed in it: see `pushBranch`. Idempotent. */
  close(): Promise<void>
}

export interface PushBranchInput {
  /** Without `refs/heads/`; never the default branch. */
  branch: string
  /** A full id of a commit in the repository that `openBase` gave. */
  commit: string
  /** What the branch names before: a full commit id, or null for a branch that is not there yet. */
  expected: string | null
}

export type PushOutcome =
  /**
   * The branch names the change, by this call or by one before that was not seen to end. `commit` is what it names: the
   * commit that was given, or the host's own with the same files, message and parents, where the host signs its commits.
   */
  | { outcome: 'pushed'; commit: string }
  /** Somebody else moved, made or removed the branch. `commit` is what it names now, null when it is gone. */
  | { outcome: 'moved'; commit: string | null }

export type PullRequestState = 'open' | 'merged' | 'closed'

/** The outcome of something that was checked, for the people who decide on the pull request. */
export interface PullRequestCheck {
  /** Short and stable, such as `Links`; at most 100 characters. */
  name: string
  state: 'passed' | 'warning' | 'failed'
  /** Sentences, plain text, at most 4,000 characters. */
  summary: string
}

export interface PullRequest {
  /** Names it for the other calls of the same host. */
  id: string
  /** Counts from 1 within the repository. */
  number: number
  /** Where people read it. */
  url: string
  state: PullRequestState
  isDraft: boolean
  title: string
  /** Markdown. */
  body: string
  /** The branch with the changes. After the end `commit` is the last that it named. */
  head: BranchTip
  /** The branch that it is merged into, as it was when last looked at. */
  base: BranchTip
  /** The commit that the merge made; null unless merged. */
  mergeCommit: string | null
  /** Whether it merges without conflicts; null once it has ended, and while or where the host does not say. */
  isMergeable: boolean | null
  /** UTC milliseconds. */
  createdAt: number
  updatedAt: number
}

export interface OpenPullRequestInput {
  /** The branch with the changes, pushed before. */
  branch: string
  /** The branch that it is to be merged into; null for the default branch. */
  base: string | null
  /** One line; cut to what the host takes, at most 200 characters. */
  title: string
  /** Markdown; cut to 60,000 characters. */
  body: string
  isDraft: boolean
  /** The job that wrote it; null for one that a person opened. */
  jobId: string | null
  checks: readonly PullRequestCheck[]
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
 * One repository on a host of repositories, with its pull requests.
 *
 * Every call that changes something may be repeated: after a crash the same call with the same input ends in the same
 * state. All calls leave the process or start git, so each takes a signal; each has a time limit of its own.
 *
 * @throws {AppError} from every call, with a sentence for the owner: `invalid_request` for what cannot be done with the
 *   repository as it is, `pull_request_not_found` for an id that the host does not know, and `ForgeError` where a host on
 *   another machine refuses or does not answer.
 */
export interface CodeHost {
  readonly kind: CodeHostKind
  readonly capabilities: CodeHostCapabilities
  readSource(signal: AbortSignal): Promise<HostedSource>
  /**
   * The tip of a branch as the host has it now.
   *
   * @param name Null for the default branch.
   * @throws {AppError} `invalid_request` for a branch that is not there or whose name git does not allow.
   */
  resolveBranch(name: string | null, signal: AbortSignal): Promise<BranchTip>
  /** Brings a commit to this machine. @throws {AppError} `invalid_request` when the host has no such commit. */
  openBase(commit: string, signal: AbortSignal): Promise<BaseRepository>
  /** Compare-and-set of a branch. @throws {AppError} `invalid_request` for the default branch and for bad names. */
  pushBranch(input: PushBranchInput, signal: AbortSignal): Promise<PushOutcome>
  /** The open pull request of a branch, else the newest that ended, else null. */
  findPullRequest(input: { branch: string }, signal: AbortSignal): Promise<PullRequest | null>
  /** One open pull request per branch: an open one is brought up to date and returned, never duplicated. */
  openPullRequest(input: OpenPullRequestInput, signal: AbortSignal): Promise<PullRequest>
  /** Changes what is given. One that is merged or closed keeps its state. */
  updatePullRequest(input: UpdatePullRequestInput, signal: AbortSignal): Promise<PullRequest>
  readPullRequest(id: string, signal: AbortSignal): Promise<PullRequest>
  /** Closes without merging; one that has ended stays as it is. */
  closePullRequest(id: string, signal: AbortSignal): Promise<PullRequest>
  /**
   * The one call that is not to be repeated without thought: each adds a comment.
   *
   * @param input.body Markdown; cut to 60,000 characters.
   * @returns The id for `editComment`.
   */
  comment(input: { id: string; body: string }, signal: AbortSignal): Promise<{ commentId: string }>
  /** Replaces the text of a comment that `comment` made. @throws {AppError} `invalid_request` for one that is not there. */
  editComment(input: { id: string; commentId: string; body: string }, signal: AbortSignal): Promise<void>
  /**
   * The oldest comment that begins with a mark, which nobody knew before a comment with it was there.
   *
   * @returns Null where there is none among the first thousand.
   */
  findComment(input: { id: string; mark: string }, signal: AbortSignal): Promise<{ commentId: string } | null>
  /** Labels that the repository lacks are made. Does nothing where the host has none. */
  addLabels(input: { id: string; labels: readonly string[] }, signal: AbortSignal): Promise<void>
  /** @param input.reviewers Names of users of the host. Does nothing where the host has none. */
  requestReviewers(input: { id: string; reviewers: readonly string[] }, signal: AbortSignal): Promise<void>
  /** @param user As the host names it; on the built-in host the id of a user. */
  readPermission(user: string, signal: AbortSignal): Promise<RepositoryPermission>
  /**
   * Has the host tell an address of pushes, pull requests and comments: a webhook to the same address is brought up to
   * date, so that there is one of them. Does nothing where the host has none.
   *
   * @throws {ForgeError} `forbidden` or `not-found` where the credential may not.
   */
  ensureWebhook(input: { url: string; secret: string }, signal: AbortSignal): Promise<'added' | 'updated' | 'unneeded'>
  /** Tries the credential out: one real call per permission, nothing is changed. Never throws for what it finds. */
  checkAccess(signal: AbortSignal): Promise<AccessCheck[]>
}
