import { type CodeHostCapabilities, type ForgeKind, forges } from '../../contract/code-hosts.ts'
import { type AppError, refusal } from '../../contract/app-error.ts'
import type {
  AccessCheck,
  BaseRepository,
  BranchTip,
  CodeHost,
  HostedSource,
  OpenIssueInput,
  OpenPullRequestInput,
  PullRequest,
  PullRequestCheck,
  PushBranchInput,
  PushOutcome,
  RepositoryPermission,
  UpdatePullRequestInput,
} from '../code-host.ts'
import { boundBody, boundTitle } from '../pull-request-bounds.ts'
import { pullRequestNotFound, readPullRequestNumber } from '../pull-request-number.ts'
import { hasReason } from './forge-error.ts'
import type { ForgeRepository } from './forge-host.ts'

/** Fields to update. Texts are bounded. */
export interface PullRequestChange {
  /** Carries the draft mark if the kind marks titles. */
  title?: string
  body?: string
  /** Absent where the kind marks titles. */
  isDraft?: boolean
}

export interface RestIssue {
  url: string
  body?: string | null | undefined
}

export interface NewPullRequest extends Required<PullRequestChange> {
  branch: string
  base: string
}

export type Comments = AsyncIterable<readonly { id: number; body?: string | null | undefined }[]>

/**
 * A repository on a forge. Implements pull requests and comments on top of the few requests that differ by kind; these
 * may throw `not-found`, which becomes the error for a missing pull request.
 */
export abstract class ForgeCodeHost implements CodeHost {
  readonly kind: ForgeKind
  readonly capabilities: CodeHostCapabilities
  protected readonly repository: ForgeRepository
  /** Title prefix of drafts; null if drafts have their own field. */
  protected readonly draftMark: string | null

  constructor(repository: ForgeRepository, draftMark: string | null) {
    this.kind = repository.kind
    this.capabilities = forges[repository.kind].capabilities
    this.repository = repository
    this.draftMark = draftMark
  }

  abstract readSource(signal: AbortSignal): Promise<HostedSource>
  abstract resolveBranch(name: string | null, signal: AbortSignal): Promise<BranchTip>
  abstract openBase(commit: string, signal: AbortSignal): Promise<BaseRepository>
  abstract pushBranch(input: PushBranchInput, signal: AbortSignal): Promise<PushOutcome>
  abstract ensureWebhook(hook: { url: string; secret: string }, signal: AbortSignal): Promise<'added' | 'updated'>
  abstract reportCheck(
    input: { id: string; commit: string; check: PullRequestCheck },
    signal: AbortSignal,
  ): Promise<void>
  abstract checkAccess(signal: AbortSignal): Promise<AccessCheck[]>

  /** @returns The number of the pull request. */
  protected abstract findOpen(branch: string, signal: AbortSignal): Promise<number | null>
  /** @returns The number of the one that ended last. */
  protected abstract findEnded(branch: string, signal: AbortSignal): Promise<number | null>
  protected abstract readPull(number: number, signal: AbortSignal): Promise<PullRequest>
  protected abstract createPull(pull: NewPullRequest, signal: AbortSignal): Promise<PullRequest>
  /** @param change Never empty. */
  protected abstract changePull(number: number, change: PullRequestChange, signal: AbortSignal): Promise<PullRequest>
  protected abstract closePull(number: number, signal: AbortSignal): Promise<PullRequest>
  /** Oldest first. */
  protected abstract listComments(number: number, signal: AbortSignal): Comments
  protected abstract addComment(number: number, body: string, signal: AbortSignal): Promise<{ id: number }>
  protected abstract changeComment(
    comment: { number: number; id: string; body: string },
    signal: AbortSignal,
  ): Promise<void>
  /** @param names Never empty, without `@`. */
  protected abstract askReviewers(number: number, names: readonly string[], signal: AbortSignal): Promise<void>
  abstract readPermission(user: string, signal: AbortSignal): Promise<RepositoryPermission>

  /** For kinds with labels. @param _names Never empty. */
  protected async attachLabels(_number: number, _names: readonly string[], _signal: AbortSignal): Promise<void> {}

  /** The newest hundred issues. For kinds with issues. */
  protected listIssues(_signal: AbortSignal): Promise<readonly RestIssue[]> {
    return Promise.reject(this.#lackIssues())
  }

  /** For kinds with issues. */
  protected createIssue(_issue: { title: string; body: string }, _signal: AbortSignal): Promise<RestIssue> {
    return Promise.reject(this.#lackIssues())
  }

  #lackIssues(): AppError {
    return refusal(`${forges[this.kind].label} has no issues. Have messages sent by e-mail or webhook instead.`)
  }

  async openIssue({ mark, title, body }: OpenIssueInput, signal: AbortSignal): Promise<{ url: string }> {
    const known = await this.listIssues(signal)
    const found = known.find((issue) => issue.body?.startsWith(mark) === true)
    return found ?? this.createIssue({ title: boundTitle(title), body: boundBody(`${mark}\n${body}`) }, signal)
  }

  async findPullRequest({ branch }: { branch: string }, signal: AbortSignal): Promise<PullRequest | null> {
    const number = (await this.findOpen(branch, signal)) ?? (await this.findEnded(branch, signal))
    return number === null ? null : this.readPull(number, signal)
  }

  async openPullRequest(input: OpenPullRequestInput, signal: AbortSignal): Promise<PullRequest> {
    const { branch, title, body, isDraft } = input
    const update = (number: number) => this.updatePullRequest({ id: String(number), title, body, isDraft }, signal)
    const open = await this.findOpen(branch, signal)
    if (open !== null) return update(open)
    const base = input.base ?? (await this.readSource(signal)).defaultBranch
    if (branch === base) throw refusal('A pull request needs two different branches. Name another base.')
    const pull = { branch, base, title: this.#markTitle(title, isDraft), body: boundBody(body), isDraft }
    return this.createPull(pull, signal).catch(async (error: unknown) => {
      // Somebody else was faster, or the reply to an earlier attempt was lost.
      const known = hasReason(error, 'conflict', 'invalid') ? await this.findOpen(branch, signal) : null
      if (known === null) throw error
      return update(known)
    })
  }

  async updatePullRequest(input: UpdatePullRequestInput, signal: AbortSignal): Promise<PullRequest> {
    return this.#about(input.id, async (number) => {
      const change = {
        ...(await this.#changeTitle(number, input, signal)),
        ...(input.body === undefined ? {} : { body: boundBody(input.body) }),
      }
      const isEmpty = Object.keys(change).length === 0
      return isEmpty ? this.readPull(number, signal) : this.changePull(number, change, signal)
    })
  }

  /** A marked title also carries the draft state, so both change together. */
  async #changeTitle(
    number: number,
    { title, isDraft }: UpdatePullRequestInput,
    signal: AbortSignal,
  ): Promise<PullRequestChange> {
    if (title === undefined && isDraft === undefined) return {}
    if (this.draftMark === null) {
      return {
        ...(title === undefined ? {} : { title: boundTitle(title) }),
        ...(isDraft === undefined ? {} : { isDraft }),
      }
    }
    if (title !== undefined && isDraft !== undefined) return { title: this.#markTitle(title, isDraft) }
    const known = await this.readPull(number, signal)
    return { title: this.#markTitle(title ?? known.title, isDraft ?? known.isDraft) }
  }

  #markTitle(title: string, isDraft: boolean): string {
    return `${isDraft ? (this.draftMark ?? '') : ''}${boundTitle(title)}`
  }

  readPullRequest(id: string, signal: AbortSignal): Promise<PullRequest> {
    return this.#about(id, (number) => this.readPull(number, signal))
  }

  async closePullRequest(id: string, signal: AbortSignal): Promise<PullRequest> {
    return this.#about(id, async (number) => {
      const known = await this.readPull(number, signal)
      return known.state === 'open' ? this.closePull(number, signal) : known
    })
  }

  async comment({ id, body }: { id: string; body: string }, signal: AbortSignal): Promise<{ commentId: string }> {
    const comment = await this.#about(id, (number) => this.addComment(number, boundBody(body), signal))
    return { commentId: String(comment.id) }
  }

  async editComment(
    { id, commentId, body }: { id: string; commentId: string; body: string },
    signal: AbortSignal,
  ): Promise<void> {
    const gone = refusal('The comment no longer exists. Write a new one.')
    if (!/^\d{1,18}$/.test(commentId)) throw gone
    const comment = { number: readPullRequestNumber(id), id: commentId, body: boundBody(body) }
    await this.changeComment(comment, signal).catch((error: unknown) => {
      throw hasReason(error, 'not-found') ? gone : error
    })
  }

  async findComment({ id, mark }: { id: string; mark: string }, signal: AbortSignal) {
    return this.#about(id, async (number) => {
      for await (const comments of this.listComments(number, signal)) {
        const found = comments.find(({ body }) => body?.startsWith(mark) === true)
        if (found !== undefined) return { commentId: String(found.id) }
      }
      return null
    })
  }

  async addLabels({ id, labels }: { id: string; labels: readonly string[] }, signal: AbortSignal): Promise<void> {
    const names = labels.map((label) => label.trim()).filter((label) => label !== '')
    await this.#about(id, async (number) => {
      if (names.length > 0) await this.attachLabels(number, names, signal)
    })
  }

  async requestReviewers(
    { id, reviewers }: { id: string; reviewers: readonly string[] },
    signal: AbortSignal,
  ): Promise<void> {
    const names = reviewers.map((name) => name.replace(/^@/, ''))
    await this.#about(id, async (number) => {
      if (names.length > 0) await this.askReviewers(number, names, signal)
    })
  }

  async #about<Result>(id: string, work: (number: number) => Promise<Result>): Promise<Result> {
    return work(readPullRequestNumber(id)).catch((error: unknown) => {
      throw hasReason(error, 'not-found') ? pullRequestNotFound(id) : error
    })
  }
}
