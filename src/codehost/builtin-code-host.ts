import { AppError } from '../contract/app-error.ts'
import { bodyCharsMax, titleCharsMax } from '../contract/pull-requests.ts'
import { checkBranchName, updateRef } from '../git/refs.ts'
import { resolveObject } from '../git/resolve-commit.ts'
import {
  endPullRequest,
  findPullRequestOfBranch,
  getPullRequest,
  insertComment,
  insertPullRequest,
  type PullRequestRecord,
  updatePullRequest,
} from '../store/pull-requests.ts'
import type { Repository } from '../store/repositories.ts'
import { type BuiltinHostDeps, gitDirectoryOf, pullRequestNotFound, pullRequestUrl } from './builtin-host-deps.ts'
import type {
  BranchTip,
  CodeHost,
  OpenPullRequestInput,
  PullRequest,
  PullRequestCheck,
  PushBranchInput,
  PushOutcome,
  UpdatePullRequestInput,
} from './code-host.ts'
import { branchRef } from './pull-request-refs.ts'
import { settlePullRequest } from './settle-pull-request.ts'

/** Random bytes in the address of a pull request: 192 bits. */
const secretBytes = 24

/** Who comments for the service itself. */
const ownName = 'Docent'

/** One repository of the built-in host as a code host: the one that needs no other machine and no account. */
export function openBuiltinCodeHost(deps: BuiltinHostDeps, repository: Repository): CodeHost {
  return new BuiltinCodeHost(deps, repository)
}

class BuiltinCodeHost implements CodeHost {
  readonly kind = 'builtin'
  readonly capabilities = { drafts: true, checks: true }
  readonly #deps: BuiltinHostDeps
  readonly #repository: Repository
  readonly #gitDirectory: string

  constructor(deps: BuiltinHostDeps, repository: Repository) {
    this.#deps = deps
    this.#repository = repository
    this.#gitDirectory = gitDirectoryOf(deps, repository)
  }

  async readSource() {
    return { repository: this.#repository.name, defaultBranch: this.#repository.defaultBranch }
  }

  async resolveBranch(name: string | null, signal: AbortSignal): Promise<BranchTip> {
    const branch = await checkBranchName(name ?? this.#repository.defaultBranch, signal)
    const commit = await this.#findTip(branch, signal)
    if (commit !== null) return { branch, commit }
    throw refuse(`The repository ${this.#repository.name} has no branch "${branch}". Push it first, or name another.`)
  }

  async openBase(commit: string, signal: AbortSignal) {
    await this.#requireCommit(commit, signal)
    return { gitDirectory: this.#gitDirectory, close: async () => {} }
  }

  async pushBranch({ branch, commit, expected }: PushBranchInput, signal: AbortSignal): Promise<PushOutcome> {
    await checkBranchName(branch, signal)
    if (branch === this.#repository.defaultBranch) {
      throw refuse(`The branch "${branch}" is protected: only merges of pull requests move it. Push to another branch.`)
    }
    await this.#requireCommit(commit, signal)
    const ref = branchRef(branch)
    if (!(await updateRef({ gitDirectory: this.#gitDirectory, ref, to: commit, expected }, signal))) {
      const now = await this.#findTip(branch, signal)
      return now === commit ? { outcome: 'pushed' } : { outcome: 'moved', commit: now }
    }
    await this.#deps.onBranchMoved({ repository: this.#repository, branch })
    return { outcome: 'pushed' }
  }

  async findPullRequest({ branch }: { branch: string }, signal: AbortSignal): Promise<PullRequest | null> {
    const record = await findPullRequestOfBranch(this.#deps.store.durable, this.#repository.id, branch)
    return record === null ? null : this.readPullRequest(record.id, signal)
  }

  async openPullRequest(input: OpenPullRequestInput, signal: AbortSignal): Promise<PullRequest> {
    const { store, clock, ids, randomBytes } = this.#deps
    const head = await this.resolveBranch(input.branch, signal)
    const base = await this.resolveBranch(input.base, signal)
    if (head.branch === base.branch) throw refuse('A pull request needs two branches: name another one as its base.')
    const now = clock.now()
    const { isDraft, jobId } = input
    const [title, body, checks] = [boundTitle(input.title), boundBody(input.body), input.checks.map(boundCheck)]
    const { record, isNew } = await insertPullRequest(store.durable, {
      id: ids.prefixed('pr'),
      repositoryId: this.#repository.id,
      secret: randomBytes(secretBytes).toString('base64url'),
      jobId,
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
    if (!isNew) await updatePullRequest(store.durable, record.id, { title, body, isDraft, checks, updatedAt: now })
    return this.readPullRequest(record.id, signal)
  }

  async updatePullRequest(input: UpdatePullRequestInput, signal: AbortSignal): Promise<PullRequest> {
    const { id, title, body, checks, isDraft } = input
    await this.#requireOwn(id)
    const updatedAt = this.#deps.clock.now()
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
    return toPullRequest(this.#deps, (await settlePullRequest(this.#deps, id, signal)).record)
  }

  async closePullRequest(id: string, signal: AbortSignal): Promise<PullRequest> {
    await this.#requireOwn(id)
    return toPullRequest(this.#deps, await closePullRequest(this.#deps, id, ownName, signal))
  }

  async comment({ id, body }: { id: string; body: string }): Promise<void> {
    await this.#requireOwn(id)
    await addComment(this.#deps, { id, body, author: ownName })
  }

  #findTip(branch: string, signal: AbortSignal): Promise<string | null> {
    return resolveObject(this.#gitDirectory, `${branchRef(branch)}^{commit}`, signal)
  }

  async #requireCommit(commit: string, signal: AbortSignal): Promise<void> {
    const isId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)
    if (isId && (await resolveObject(this.#gitDirectory, `${commit}^{commit}`, signal)) === commit) return
    throw refuse(
      `The repository ${this.#repository.name} has no commit ${commit.slice(0, 64)}. Name one by its full id.`,
    )
  }

  async #requireOwn(id: string): Promise<void> {
    const record = await getPullRequest(this.#deps.store.durable, id)
    if (record?.repositoryId !== this.#repository.id) throw pullRequestNotFound(id)
  }
}

/**
 * Closes without merging.
 *
 * @param by Who does it, for people.
 * @returns The record as it is then: one that had ended before is as it was.
 */
export async function closePullRequest(
  deps: BuiltinHostDeps,
  id: string,
  by: string,
  signal: AbortSignal,
): Promise<PullRequestRecord> {
  const { record } = await settlePullRequest(deps, id, signal)
  if (record.state !== 'open') return record
  const { headCommit, baseCommit } = record
  const end = { state: 'closed' as const, headCommit, baseCommit, mergeCommit: null, endedBy: by }
  await endPullRequest(deps.store.durable, id, { ...end, endedAt: deps.clock.now() })
  return (await getPullRequest(deps.store.durable, id)) ?? record
}

/** @param comment.body Markdown. */
export async function addComment(
  { store, clock, ids }: BuiltinHostDeps,
  comment: { id: string; body: string; author: string },
): Promise<{ id: string; createdAt: number }> {
  const made = { id: ids.prefixed('comment'), createdAt: clock.now() }
  const { id, body, author } = comment
  await insertComment(store.durable, { ...made, pullRequestId: id, body, author })
  return made
}

/** Texts are written by models too: a long one is cut rather than losing the work that it tells of. */
function boundTitle(title: string): string {
  return title.replace(/\s+/g, ' ').trim().slice(0, titleCharsMax) || 'A change'
}

function boundBody(body: string): string {
  return body.slice(0, bodyCharsMax)
}

const checkNameCharsMax = 100
const checkSummaryCharsMax = 4_000

function boundCheck({ name, state, summary }: PullRequestCheck): PullRequestCheck {
  return { name: name.slice(0, checkNameCharsMax), state, summary: summary.slice(0, checkSummaryCharsMax) }
}

function toPullRequest(deps: BuiltinHostDeps, record: PullRequestRecord): PullRequest {
  const { id, number, state, isDraft, title, body, mergeCommit, createdAt, updatedAt } = record
  return {
    id,
    number,
    state,
    isDraft,
    title,
    body,
    mergeCommit,
    createdAt,
    updatedAt,
    url: pullRequestUrl(deps, record),
    head: { branch: record.headBranch, commit: record.headCommit },
    base: { branch: record.baseBranch, commit: record.baseCommit },
  }
}

function refuse(message: string): AppError {
  return new AppError('invalid_request', message)
}
