import { BoundedCache } from '../../base/bounded-cache.ts'
import { type MergeTreesInput, mergeTrees, UnrelatedHistoriesError } from '../../git/commits/merge-commits.ts'
import { checkBranchName } from '../../git/repositories/refs.ts'
import { resolveObject, resolveObjects } from '../../git/resolve-commit.ts'
import {
  endPullRequest,
  findPullRequestOfBranch,
  getPullRequest,
  insertPullRequest,
  listComments,
  type PullRequestRecord,
  updateComment,
  updatePullRequest,
} from '../../store/hosting/pull-requests.ts'
import { readersCheckStart } from '../../contract/counterfactual.ts'
import { findUserRole } from '../../store/accounts/user-roles.ts'
import type { Repository } from '../../store/hosting/repositories.ts'
import { isObjectId } from '../../git/object-id.ts'
import { refusal } from '../../contract/app-error.ts'
import { pullRequestNotFound } from '../pull-request-number.ts'
import { addComment } from './add-comment.ts'
import { type BuiltinHostDeps, pullRequestUrl, type ReconcileDeps } from './builtin-host-deps.ts'
import type {
  AccessCheck,
  BranchTip,
  CodeHost,
  OpenPullRequestInput,
  PullRequest,
  PullRequestCheck,
  PushBranchInput,
  PushOutcome,
  RepositoryPermission,
  UpdatePullRequestInput,
} from '../code-host.ts'
import { boundBody, boundTitle } from '../pull-request-bounds.ts'
import { branchRef } from './pull-request-refs.ts'
import { type ReconciledPullRequest, reconcilePullRequest } from './reconcile-pull-request.ts'
import { moveRefs, openRepository } from './with-repository.ts'

/** Random bytes in a pull request's address: 192 bits. */
const secretBytes = 24

const commentsReadMax = 1_000

/** Author of the service's own comments. */
const ownName = 'Docent'

/** A repository of the built-in host, which needs no other machine and no account, as a code host. */
export function openBuiltinCodeHost(deps: BuiltinHostDeps, repository: Repository): CodeHost {
  return new BuiltinCodeHost(deps, repository)
}

class BuiltinCodeHost implements CodeHost {
  readonly kind = 'builtin'
  readonly capabilities = {
    drafts: true,
    checks: true,
    labels: false,
    reviewers: false,
    mergeability: true,
    webhooks: false,
  }
  readonly #deps: BuiltinHostDeps
  readonly #repository: Repository

  constructor(deps: BuiltinHostDeps, repository: Repository) {
    this.#deps = deps
    this.#repository = repository
  }

  async readSource() {
    return { repository: this.#repository.name, defaultBranch: this.#repository.defaultBranch }
  }

  async resolveBranch(name: string | null, signal: AbortSignal): Promise<BranchTip> {
    const [tip] = await this.#resolveBranches([name], signal)
    return tip
  }

  /** Resolves all names in one git process. */
  async #resolveBranches<Names extends readonly (string | null)[]>(
    names: readonly [...Names],
    signal: AbortSignal,
  ): Promise<{ [Index in keyof Names]: BranchTip }> {
    const { name, defaultBranch } = this.#repository
    const branches = names.map((asked) => checkBranchName(asked ?? defaultBranch))
    const gitDirectory = await openRepository(this.#deps, this.#repository, signal)
    const commits = branches.map((branch) => `${branchRef(branch)}^{commit}`)
    const found = await resolveObjects(gitDirectory, commits, signal)
    const tips = branches.map((branch, index): BranchTip => {
      const commit = found[index] ?? null
      if (commit !== null) return { branch, commit }
      throw refusal(`The repository ${name} has no branch "${branch}". Push it first, or name another.`)
    })
    return tips as { [Index in keyof Names]: BranchTip } // One tip per name, in order.
  }

  async openBase(commit: string, signal: AbortSignal) {
    await this.#requireCommit(commit, signal)
    const gitDirectory = await openRepository(this.#deps, this.#repository, signal)
    return { gitDirectory, joinHistory: async () => {}, close: async () => {} }
  }

  async pushBranch({ branch, commit, expected }: PushBranchInput, signal: AbortSignal): Promise<PushOutcome> {
    checkBranchName(branch)
    if (branch === this.#repository.defaultBranch) {
      throw refusal(
        `The branch "${branch}" is protected: it changes only when pull requests are merged. Push to another branch.`,
      )
    }
    await this.#requireCommit(commit, signal)
    const change = { ref: branchRef(branch), to: commit, expected }
    if (!(await moveRefs(this.#deps, this.#repository, [change], signal))) {
      const now = await this.#findTip(branch, signal)
      return now === commit ? { outcome: 'pushed', commit } : { outcome: 'moved', commit: now }
    }
    await this.#deps.onBranchMoved({ repository: this.#repository, branch })
    return { outcome: 'pushed', commit }
  }

  async findPullRequest({ branch }: { branch: string }, signal: AbortSignal): Promise<PullRequest | null> {
    const record = await findPullRequestOfBranch(this.#deps.store.durable, this.#repository.id, branch)
    return record === null ? null : this.readPullRequest(record.id, signal)
  }

  async openPullRequest(input: OpenPullRequestInput, signal: AbortSignal): Promise<PullRequest> {
    const { store, clock, ids, randomBytes } = this.#deps
    const [head, base] = await this.#resolveBranches([input.branch, input.base], signal)
    if (head.branch === base.branch) throw refusal('A pull request needs two different branches. Name another base.')
    const now = clock.now()
    const { isDraft, jobId, authorId = null } = input
    const [title, body, checks] = [boundTitle(input.title), boundBody(input.body), input.checks.map(boundCheck)]
    const { record, isNew } = await insertPullRequest(store.durable, {
      id: ids.prefixed('pr'),
      repositoryId: this.#repository.id,
      secret: randomBytes(secretBytes).toString('base64url'),
      jobId,
      authorId,
      title,
      body,
      isDraft,
      checks,
      headBranch: head.branch,
      headCommit: head.commit,
      baseBranch: base.branch,
      baseCommit: base.commit,
      createdAt: now,
      updatedAt: now,
    })
    if (isNew) return this.readPullRequest(record.id, signal)
    return this.updatePullRequest({ id: record.id, title, body, isDraft, checks }, signal)
  }

  async updatePullRequest(input: UpdatePullRequestInput, signal: AbortSignal): Promise<PullRequest> {
    const { id, title, body, isDraft } = input
    const record = await this.#requireOwn(id)
    const updatedAt = this.#deps.clock.now()
    // Those about readers are reported by another worker.
    const kept = record.checks.filter(({ name }) => name.startsWith(readersCheckStart))
    const checks = input.checks === undefined ? undefined : [...input.checks, ...kept]
    await updatePullRequest(this.#deps.store.durable, id, {
      ...(title === undefined ? {} : { title: boundTitle(title) }),
      ...(body === undefined ? {} : { body: boundBody(body) }),
      ...(isDraft === undefined ? {} : { isDraft }),
      ...(checks === undefined ? {} : { checks: checks.map(boundCheck) }),
      updatedAt,
    })
    return this.readPullRequest(id, signal)
  }

  async readPullRequest(id: string, signal: AbortSignal): Promise<PullRequest> {
    await this.#requireOwn(id)
    const reconciled = await reconcilePullRequest(this.#deps, id, signal)
    return toPullRequest(this.#deps, reconciled.record, await isMergeable(this.#deps, reconciled, signal))
  }

  async closePullRequest(id: string, signal: AbortSignal): Promise<PullRequest> {
    await this.#requireOwn(id)
    return toPullRequest(this.#deps, await closePullRequest(this.#deps, id, ownName, signal), null)
  }

  openIssue(): Promise<never> {
    return Promise.reject(refusal('The built-in host has no issues. Have messages sent by e-mail or webhook instead.'))
  }

  async comment({ id, body }: { id: string; body: string }): Promise<{ commentId: string }> {
    await this.#requireOwn(id)
    const comment = await addComment(this.#deps, { id, body: boundBody(body), author: ownName })
    return { commentId: comment.id }
  }

  async editComment({ id, commentId, body }: { id: string; commentId: string; body: string }): Promise<void> {
    await this.#requireOwn(id)
    const change = { body: boundBody(body) }
    const isChanged = await updateComment(this.#deps.store.durable, { id: commentId, pullRequestId: id }, change)
    if (!isChanged) throw refusal('The comment no longer exists. Write a new one.')
  }

  async findComment({ id, mark }: { id: string; mark: string }): Promise<{ commentId: string } | null> {
    await this.#requireOwn(id)
    const comments = await listComments(this.#deps.store.durable, id, commentsReadMax)
    const found = comments.find(({ body }) => body.startsWith(mark))
    return found === undefined ? null : { commentId: found.id }
  }

  async reportCheck({ id, check }: { id: string; check: PullRequestCheck }): Promise<void> {
    const { checks, updatedAt } = await this.#requireOwn(id)
    const others = checks.filter(({ name }) => name !== check.name)
    await updatePullRequest(this.#deps.store.durable, id, { checks: [...others, boundCheck(check)], updatedAt })
  }

  /** Followers of a branch are notified in-process. */
  async ensureWebhook(): Promise<'unneeded'> {
    return 'unneeded'
  }

  async addLabels({ id }: { id: string }): Promise<void> {
    await this.#requireOwn(id)
  }

  async requestReviewers({ id }: { id: string }): Promise<void> {
    await this.#requireOwn(id)
  }

  async readPermission(user: string): Promise<RepositoryPermission> {
    // Only comments of keys that may write are reported.
    if (user.startsWith('key:') || user.startsWith('local:')) return 'write'
    const { organizationId } = this.#repository
    return (
      permissions[(await findUserRole(this.#deps.store.durable, organizationId, user.replace(/^user:/, ''))) ?? ''] ??
      'none'
    )
  }

  async checkAccess(signal: AbortSignal): Promise<AccessCheck[]> {
    const gitDirectory = await openRepository(this.#deps, this.#repository, signal)
    const isThere = await resolveObject(gitDirectory, branchRef(this.#repository.defaultBranch), signal)
    const message =
      isThere === null
        ? `The repository ${this.#repository.name} has no commit on ${this.#repository.defaultBranch} yet. Push one.`
        : 'The built-in host needs no credential.'
    return [{ permission: 'Repository', state: isThere === null ? 'unknown' : 'granted', message }]
  }

  async #findTip(branch: string, signal: AbortSignal): Promise<string | null> {
    const gitDirectory = await openRepository(this.#deps, this.#repository, signal)
    return resolveObject(gitDirectory, `${branchRef(branch)}^{commit}`, signal)
  }

  async #requireCommit(commit: string, signal: AbortSignal): Promise<void> {
    const isId = isObjectId(commit)
    const gitDirectory = await openRepository(this.#deps, this.#repository, signal)
    if (isId && (await resolveObject(gitDirectory, `${commit}^{commit}`, signal)) === commit) return
    throw refusal(
      `The repository ${this.#repository.name} has no commit ${commit.slice(0, 64)}. Name one by its full id.`,
    )
  }

  async #requireOwn(id: string): Promise<PullRequestRecord> {
    const record = await getPullRequest(this.#deps.store.durable, id)
    if (record === null || record.repositoryId !== this.#repository.id) throw pullRequestNotFound(id)
    return record
  }
}

/**
 * Closes without merging.
 *
 * @param by Display name of the person or service closing it.
 * @returns The resulting record; unchanged if it had already ended.
 */
export async function closePullRequest(
  deps: ReconcileDeps,
  id: string,
  by: string,
  signal: AbortSignal,
): Promise<PullRequestRecord> {
  const { record } = await reconcilePullRequest(deps, id, signal)
  if (record.state !== 'open') return record
  const { headCommit, baseCommit } = record
  const end = { state: 'closed' as const, headCommit, baseCommit, mergeCommit: null, endedBy: by }
  await endPullRequest(deps.store.durable, id, { ...end, endedAt: deps.clock.now() })
  return (await getPullRequest(deps.store.durable, id)) ?? record
}

/** Maps the roles of an organization's users to permissions on its repositories. */
const permissions: Readonly<Record<string, RepositoryPermission>> = { owner: 'admin', editor: 'write', viewer: 'read' }

/** Whether pairs of commits merge cleanly, which never changes; pull requests are polled. */
const knownMerges = new BoundedCache<boolean>(1_000)

/** Whether it merges cleanly, found by merging the trees without keeping the result. Null once it has ended. */
async function isMergeable(
  { mergeFile }: Pick<BuiltinHostDeps, 'mergeFile'>,
  reconciled: ReconciledPullRequest,
  signal: AbortSignal,
): Promise<boolean | null> {
  const { record, gitDirectory, hasBranch } = reconciled
  if (record.state !== 'open') return null
  const { baseCommit: ours, headCommit: theirs } = record
  if (!hasBranch) return false
  const key = `${ours} ${theirs}`
  const isClean = knownMerges.get(key) ?? (await mergesCleanly({ gitDirectory, ours, theirs, mergeFile }, signal))
  knownMerges.set(key, isClean, 1)
  return isClean
}

async function mergesCleanly(input: MergeTreesInput, signal: AbortSignal): Promise<boolean> {
  try {
    return (await mergeTrees(input, signal)).clean
  } catch (error) {
    if (error instanceof UnrelatedHistoriesError) return false
    throw error
  }
}

const checkNameCharsMax = 100
const checkSummaryCharsMax = 4_000

function boundCheck({ name, state, summary }: PullRequestCheck): PullRequestCheck {
  return { name: name.slice(0, checkNameCharsMax), state, summary: summary.slice(0, checkSummaryCharsMax) }
}

function toPullRequest(
  deps: Pick<BuiltinHostDeps, 'baseUrl'>,
  record: PullRequestRecord,
  isMergeable: boolean | null,
): PullRequest {
  const { id, number, state, isDraft, title, body, mergeCommit, createdAt, updatedAt } = record
  return {
    id,
    number,
    state,
    isDraft,
    // Branches of one repository; everyone who pushes may write it.
    isFromFork: false,
    title,
    body,
    mergeCommit,
    isMergeable,
    createdAt,
    updatedAt,
    url: pullRequestUrl(deps, record),
    head: { branch: record.headBranch, commit: record.headCommit },
    base: { branch: record.baseBranch, commit: record.baseCommit },
  }
}
