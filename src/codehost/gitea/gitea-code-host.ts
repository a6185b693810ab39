import { z } from 'zod'
import type { CodeHost, PullRequest, PullRequestCheck, RepositoryPermission } from '../code-host.ts'
import { ForgeError, hasReason } from '../forge/forge-error.ts'
import type { ForgeHostDeps, ForgeRepository } from '../forge/forge-host.ts'
import type { Comments, NewPullRequest, PullRequestChange, RestIssue } from '../forge/forge-code-host.ts'
import { RestCodeHost, type RestRepository } from '../forge/rest-code-host.ts'
import {
  giteaCommentSchema,
  giteaIssueSchema,
  giteaLabelSchema,
  giteaPermissionSchema,
  type GiteaPullRequest,
  giteaPullRequestSchema,
  giteaRepositorySchema,
  isOwnBranch,
  readHeadBranch,
  toPullRequest,
} from './gitea-replies.ts'
import { giteaRules } from './gitea-rules.ts'

/** A Gitea or Forgejo repository as a code host. */
export function openGiteaCodeHost(deps: ForgeHostDeps, repository: ForgeRepository): CodeHost {
  return new GiteaCodeHost(deps, repository, giteaRules)
}

const statusCharsMax = 255
/** Color of labels that the repository lacks. */
const labelColor = '#7057ff'

class GiteaCodeHost extends RestCodeHost {
  protected async fetchRepository(signal: AbortSignal): Promise<RestRepository> {
    const path = `/repos/${this.repository.path}`
    const found = await this.client.call({ path, reply: giteaRepositorySchema }, signal)
    const { full_name, default_branch, empty } = found
    return { path: full_name, root: `/repos/${full_name}`, defaultBranch: empty === true ? null : default_branch }
  }

  /** The API cannot search by branch, so this reads as many as a busy repository has. */
  protected async findOpen(branch: string, signal: AbortSignal): Promise<number | null> {
    const query = { state: 'open', sort: 'recentupdate' }
    for await (const pulls of this.pages({ path: '/pulls', query, item: giteaPullRequestSchema }, signal)) {
      const found = newestOf(pulls, branch)
      if (found !== null) return found
    }
    return null
  }

  /** Searches the recently ended ones, and the one that Gitea returns for the branch and the default branch. */
  protected async findEnded(branch: string, signal: AbortSignal): Promise<number | null> {
    const { defaultBranch } = await this.readSource(signal)
    const path = `/pulls/${encodeURIComponent(defaultBranch)}/${encodeURIComponent(branch)}`
    const query = { state: 'closed', sort: 'recentupdate', ...giteaRules.client.paging.query(null) }
    const [listed, known] = await Promise.all([
      this.call({ path: '/pulls', query, reply: z.array(giteaPullRequestSchema) }, signal),
      this.find({ path, reply: giteaPullRequestSchema }, signal),
    ])
    return newestOf(known === null ? listed : [...listed, known], branch)
  }

  protected async readPull(number: number, signal: AbortSignal): Promise<PullRequest> {
    return toPullRequest(await this.call({ path: `/pulls/${number}`, reply: giteaPullRequestSchema }, signal))
  }

  protected async createPull({ branch: head, base, title, body }: NewPullRequest, signal: AbortSignal) {
    const call = { method: 'POST' as const, path: '/pulls', body: { head, base, title, body } }
    return toPullRequest(await this.call({ ...call, reply: giteaPullRequestSchema }, signal))
  }

  protected async changePull(number: number, change: PullRequestChange | { state: 'closed' }, signal: AbortSignal) {
    const call = { method: 'PATCH' as const, path: `/pulls/${number}`, body: change, reply: giteaPullRequestSchema }
    return toPullRequest(await this.call(call, signal))
  }

  protected closePull(number: number, signal: AbortSignal): Promise<PullRequest> {
    return this.changePull(number, { state: 'closed' }, signal)
  }

  protected override listIssues(signal: AbortSignal): Promise<readonly RestIssue[]> {
    const query = { type: 'issues', state: 'all', limit: 100 }
    return this.call({ path: '/issues', query, reply: z.array(giteaIssueSchema) }, signal)
  }

  protected override createIssue(body: { title: string; body: string }, signal: AbortSignal) {
    return this.call({ method: 'POST', path: '/issues', body, reply: giteaIssueSchema }, signal)
  }

  /** The API returns all comments at once. */
  protected async *listComments(number: number, signal: AbortSignal): Comments {
    yield await this.call({ path: `/issues/${number}/comments`, reply: z.array(giteaCommentSchema) }, signal)
  }

  protected describeStatus({ name, state, summary }: PullRequestCheck): object {
    const description = summary.slice(0, statusCharsMax)
    return { context: name, description, state: state === 'failed' ? 'failure' : 'success' }
  }

  protected addComment(number: number, body: string, signal: AbortSignal): Promise<{ id: number }> {
    const path = `/issues/${number}/comments`
    return this.call({ method: 'POST', path, body: { body }, reply: giteaCommentSchema }, signal)
  }

  protected changeComment({ id, body }: { id: string; body: string }, signal: AbortSignal): Promise<void> {
    return this.call({ method: 'PATCH', path: `/issues/comments/${id}`, body: { body }, reply: null }, signal)
  }

  protected override async attachLabels(number: number, names: readonly string[], signal: AbortSignal): Promise<void> {
    const known = await this.#listLabels(signal)
    const labels: number[] = []
    for (const name of names) labels.push(known.get(name.toLowerCase()) ?? (await this.#createLabel(name, signal)))
    await this.call({ method: 'POST', path: `/issues/${number}/labels`, body: { labels }, reply: null }, signal)
  }

  async #listLabels(signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
    const known = new Map<string, number>()
    for await (const labels of this.pages({ path: '/labels', item: giteaLabelSchema }, signal)) {
      for (const { id, name } of labels) known.set(name.toLowerCase(), id)
    }
    return known
  }

  async #createLabel(name: string, signal: AbortSignal): Promise<number> {
    const body = { name, color: labelColor }
    return (await this.call({ method: 'POST', path: '/labels', body, reply: giteaLabelSchema }, signal)).id
  }

  protected async askReviewers(number: number, reviewers: readonly string[], signal: AbortSignal): Promise<void> {
    const path = `/pulls/${number}/requested_reviewers`
    await this.call({ method: 'POST', path, body: { reviewers }, reply: null }, signal).catch((error: unknown) => {
      if (!hasReason(error, 'not-found')) throw error
      const names = reviewers.join(', ').slice(0, 200)
      throw new ForgeError(
        'invalid',
        `Not all of these can review: ${names}. Name users with access to the repository.`,
      )
    })
  }

  async readPermission(user: string, signal: AbortSignal): Promise<RepositoryPermission> {
    const path = `/collaborators/${encodeURIComponent(user.replace(/^@/, ''))}/permission`
    const found = await this.find({ path, reply: giteaPermissionSchema }, signal).catch((error: unknown) => {
      if (!hasReason(error, 'forbidden')) throw error
      throw new ForgeError(
        'forbidden',
        `Only an administrator of ${this.repository.path} may read other users' permissions. Make the token's account one.`,
        { cause: error },
      )
    })
    const permission = found?.permission
    if (permission === 'owner' || permission === 'admin') return 'admin'
    return permission === 'write' || permission === 'read' ? permission : 'none'
  }
}

/** @returns The number of the newest pull request from a branch of the repository itself. */
function newestOf(pulls: readonly GiteaPullRequest[], branch: string): number | null {
  const own = pulls.filter((pull) => isOwnBranch(pull) && readHeadBranch(pull) === branch)
  return own.length === 0 ? null : Math.max(...own.map(({ number }) => number))
}
