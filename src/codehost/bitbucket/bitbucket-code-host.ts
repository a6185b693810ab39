import type { CodeHost, PullRequest, PullRequestCheck, RepositoryPermission } from '../code-host.ts'
import { type ForgeCall } from '../forge/forge-client.ts'
import { ForgeError, hasReason } from '../forge/forge-error.ts'
import type { ForgeHostDeps, ForgeRepository } from '../forge/forge-host.ts'
import type { Comments, NewPullRequest, PullRequestChange } from '../forge/forge-code-host.ts'
import { RestCodeHost, type RestRepository } from '../forge/rest-code-host.ts'
import {
  bitbucketActivitySchema,
  bitbucketCommentSchema,
  bitbucketDefaultBranchSchema,
  bitbucketMergeabilitySchema,
  type BitbucketPullRequest,
  bitbucketPullRequestSchema,
  type BitbucketRepository,
  bitbucketRepositorySchema,
  bitbucketUserSchema,
  isOwnBranch,
  toPullRequest,
} from './bitbucket-replies.ts'
import { bitbucketRules } from './bitbucket-rules.ts'
import { pagePath, repositoryEndpoint } from './bitbucket-paths.ts'

/** A Bitbucket Data Center repository as a code host. */
export function openBitbucketCodeHost(deps: ForgeHostDeps, repository: ForgeRepository): CodeHost {
  return new BitbucketCodeHost(deps, repository, bitbucketRules)
}

/** The installation cuts nothing: it rejects longer ones. */
const statusCharsMax = 255

/** Attempts at an update that conflicts with concurrent ones. */
const attemptsMax = 3

const permissions = [
  ['REPO_ADMIN', 'admin'],
  ['REPO_WRITE', 'write'],
  ['REPO_READ', 'read'],
] as const

class BitbucketCodeHost extends RestCodeHost {
  protected async fetchRepository(signal: AbortSignal): Promise<RestRepository> {
    const { project, slug } = await this.#readRepository(signal)
    const path = `${project.key}/${slug}`
    const root = repositoryEndpoint(path)
    const call = { path: `${root}/default-branch`, reply: bitbucketDefaultBranchSchema }
    const branch = await this.client.find(call, signal)
    return { path, root, defaultBranch: branch?.displayId ?? null }
  }

  #readRepository(signal: AbortSignal): Promise<BitbucketRepository> {
    return this.client.call(
      { path: repositoryEndpoint(this.repository.path), reply: bitbucketRepositorySchema },
      signal,
    )
  }

  protected findOpen(branch: string, signal: AbortSignal): Promise<number | null> {
    return this.#findNewest(branch, 'OPEN', signal)
  }

  protected findEnded(branch: string, signal: AbortSignal): Promise<number | null> {
    return this.#findNewest(branch, 'ALL', signal)
  }

  async #findNewest(branch: string, state: 'OPEN' | 'ALL', signal: AbortSignal): Promise<number | null> {
    const at = `refs/heads/${branch}`
    const query = { direction: 'OUTGOING', at, state, order: 'NEWEST' }
    for await (const pulls of this.pages({ path: '/pull-requests', query, item: bitbucketPullRequestSchema }, signal)) {
      const own = pulls.find((pull) => isOwnBranch(pull) && pull.fromRef.id === at)
      if (own !== undefined) return own.id
    }
    return null
  }

  protected async readPull(number: number, signal: AbortSignal): Promise<PullRequest> {
    return this.#complete(await this.#readPull(number, signal), signal)
  }

  protected async createPull(
    { branch, base, title, body, isDraft }: NewPullRequest,
    signal: AbortSignal,
  ): Promise<PullRequest> {
    const { project, slug } = await this.#readRepository(signal)
    const repository = { slug, project: { key: project.key } }
    const pull = {
      title,
      description: body,
      draft: isDraft,
      fromRef: { id: `refs/heads/${branch}`, repository },
      toRef: { id: `refs/heads/${base}`, repository },
    }
    const call = { method: 'POST' as const, path: '/pull-requests', body: pull, reply: bitbucketPullRequestSchema }
    return this.#complete(await this.call(call, signal), signal)
  }

  protected async changePull(number: number, { title, body, isDraft }: PullRequestChange, signal: AbortSignal) {
    const changed = await this.#change(number, { title, description: body, draft: isDraft }, signal)
    return this.#complete(changed, signal)
  }

  /** An update removes the fields it omits, so all are sent. */
  #change(number: number, change: object, signal: AbortSignal): Promise<BitbucketPullRequest> {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    return this.#write(
      number,
      ({ version, title, description, draft, reviewers }) => {
        const known = { title, description: description ?? '', draft: draft ?? false, reviewers: namesOf(reviewers) }
        return { method: 'PUT', path: '', body: { version, ...known, ...given } }
      },
      signal,
    )
  }

  protected async closePull(number: number, signal: AbortSignal): Promise<PullRequest> {
    const decline = ({ version }: BitbucketPullRequest) => {
      return { method: 'POST' as const, path: '/decline', query: { version }, body: { version } }
    }
    return this.#complete(await this.#write(number, decline, signal), signal)
  }

  /**
   * @param request Builds the request from the pull request's current state; its path is relative to the pull request.
   */
  #write(
    number: number,
    request: (pull: BitbucketPullRequest) => Omit<ForgeCall<unknown>, 'reply'>,
    signal: AbortSignal,
  ): Promise<BitbucketPullRequest> {
    return retryConflicts(async () => {
      const pull = await this.#readPull(number, signal)
      const given = request(pull)
      const call = { ...given, path: `/pull-requests/${number}${given.path}`, reply: bitbucketPullRequestSchema }
      return this.call(call, signal).catch((error: unknown) => {
        // Bitbucket may reject updates to a closed pull request, which then stays unchanged.
        if (hasReason(error, 'conflict') && pull.state !== 'OPEN') return pull
        throw error
      })
    })
  }

  /** Activities come newest first. */
  protected async *listComments(number: number, signal: AbortSignal): Comments {
    const list = { path: `/pull-requests/${number}/activities`, item: bitbucketActivitySchema }
    const comments: { id: number; body?: string | null | undefined }[] = []
    for await (const activities of this.pages(list, signal)) {
      for (const { action, comment } of activities) {
        if (action === 'COMMENTED' && comment != null) comments.unshift({ id: comment.id, body: comment.text })
      }
    }
    yield comments
  }

  protected override statusPath(commit: string): string {
    return `/commits/${commit}/builds`
  }

  /** A build leads to a page, which is the pull request's. */
  protected describeStatus({ name, state, summary }: PullRequestCheck, id: string): object {
    const key = name.slice(0, statusCharsMax)
    const url = `${this.repository.origin}/${pagePath(this.repository.path)}/pull-requests/${id}`
    const description = summary.slice(0, statusCharsMax)
    return { key, name: key, url, description, state: state === 'failed' ? 'FAILED' : 'SUCCESSFUL' }
  }

  protected addComment(number: number, text: string, signal: AbortSignal): Promise<{ id: number }> {
    const path = `/pull-requests/${number}/comments`
    return this.call({ method: 'POST', path, body: { text }, reply: bitbucketCommentSchema }, signal)
  }

  protected async changeComment(
    { number, id, body: text }: { number: number; id: string; body: string },
    signal: AbortSignal,
  ) {
    const path = `/pull-requests/${number}/comments/${id}`
    await retryConflicts(async () => {
      const { version } = await this.call({ path, reply: bitbucketCommentSchema }, signal)
      await this.call({ method: 'PUT', path, body: { text, version }, reply: null }, signal)
    })
  }

  protected async askReviewers(number: number, names: readonly string[], signal: AbortSignal): Promise<void> {
    const { reviewers } = await this.#readPull(number, signal)
    const asked = [...namesOf(reviewers), ...names.map((name) => ({ user: { name } }))]
    await this.#change(number, { reviewers: asked }, signal).catch((error: unknown) => {
      if (!hasReason(error, 'conflict', 'invalid')) throw error
      throw new ForgeError(
        'invalid',
        `Not all of these can review: ${names.join(', ').slice(0, 200)}. Name users with access to the repository.`,
        { cause: error },
      )
    })
  }

  /** The user list also covers permissions granted through groups and the project. */
  async readPermission(user: string, signal: AbortSignal): Promise<RepositoryPermission> {
    const name = user.replace(/^@/, '')
    const { project, slug, public: isPublic } = await this.#readRepository(signal)
    const place = { 'permission.projectKey': project.key, 'permission.repositorySlug': slug }
    for (const [permission, found] of permissions) {
      const query = { filter: name, permission, ...place }
      for await (const users of this.client.pages({ path: '/users', query, item: bitbucketUserSchema }, signal)) {
        if (users.some((other) => other.name.toLowerCase() === name.toLowerCase())) return found
      }
    }
    return isPublic === true ? 'read' : 'none'
  }

  #readPull(number: number, signal: AbortSignal): Promise<BitbucketPullRequest> {
    return this.call({ path: `/pull-requests/${number}`, reply: bitbucketPullRequestSchema }, signal)
  }

  /** Needs a separate request, which makes Bitbucket attempt the merge. */
  async #complete(pull: BitbucketPullRequest, signal: AbortSignal): Promise<PullRequest> {
    if (pull.state !== 'OPEN') return toPullRequest(pull, null)
    const call = { path: `/pull-requests/${pull.id}/merge`, reply: bitbucketMergeabilitySchema }
    // Null if the pull request was closed in the meantime.
    const mergeability = await this.call(call, signal).catch((error: unknown) => {
      if (hasReason(error, 'conflict')) return null
      throw error
    })
    return toPullRequest(pull, mergeability)
  }
}

function namesOf(reviewers: BitbucketPullRequest['reviewers']): { user: { name: string } }[] {
  return (reviewers ?? []).map(({ user: { name } }) => ({ user: { name } }))
}

/** An update names the version it is based on and is retried after a conflicting one. */
async function retryConflicts<Result>(change: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change()
    } catch (error) {
      if (attempt === attemptsMax || !hasReason(error, 'conflict')) throw error
    }
  }
}
