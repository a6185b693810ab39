import { z } from 'zod'
import type { CodeHost, PullRequest, PullRequestCheck, RepositoryPermission } from '../code-host.ts'
import { ForgeError } from '../forge/forge-error.ts'
import type { ForgeHostDeps, ForgeRepository } from '../forge/forge-host.ts'
import type { Comments, NewPullRequest, PullRequestChange, RestIssue } from '../forge/forge-code-host.ts'
import { RestCodeHost, type RestRepository } from '../forge/rest-code-host.ts'
import {
  gitlabBranchSchema,
  gitlabIssueSchema,
  gitlabMemberSchema,
  type GitlabMergeRequest,
  gitlabMergeRequestSchema,
  gitlabNoteSchema,
  type GitlabProject,
  gitlabProjectSchema,
  gitlabUserSchema,
  toPullRequest,
} from './gitlab-replies.ts'
import { gitlabRules } from './gitlab-rules.ts'

/** A GitLab project as a code host. */
export function openGitlabCodeHost(deps: ForgeHostDeps, repository: ForgeRepository): CodeHost {
  return new GitlabCodeHost(deps, repository, gitlabRules)
}

const statusCharsMax = 255
/** GitLab's roles by number. @see https://docs.gitlab.com/api/access_requests/#valid-access-levels */
const reporter = 20
const developer = 30
const maintainer = 40

class GitlabCodeHost extends RestCodeHost {
  #projectId: number | null = null

  protected async fetchRepository(signal: AbortSignal): Promise<RestRepository> {
    const { id, path_with_namespace: path, default_branch: defaultBranch } = await this.#readProject(signal)
    return { path, root: `/projects/${id}`, defaultBranch: defaultBranch ?? null }
  }

  async #readProject(signal: AbortSignal): Promise<GitlabProject> {
    const path = `/projects/${encodeURIComponent(this.repository.path)}`
    const project = await this.client.call({ path, reply: gitlabProjectSchema }, signal)
    this.#projectId = project.id
    return project
  }

  protected findOpen(branch: string, signal: AbortSignal): Promise<number | null> {
    return this.#findNewest(branch, 'opened', signal)
  }

  protected findEnded(branch: string, signal: AbortSignal): Promise<number | null> {
    return this.#findNewest(branch, 'all', signal)
  }

  /** The newest merge request from a branch of the project itself, not of a fork. */
  async #findNewest(branch: string, state: 'opened' | 'all', signal: AbortSignal): Promise<number | null> {
    const source_project_id = this.#projectId ?? (await this.#readProject(signal)).id
    const order = { order_by: 'created_at', sort: 'desc', per_page: 20 }
    const query = { state, source_branch: branch, source_project_id, ...order }
    const found = await this.call({ path: '/merge_requests', query, reply: z.array(gitlabMergeRequestSchema) }, signal)
    const own = found.filter(({ source_branch: source }) => source === branch)
    return own.length === 0 ? null : Math.max(...own.map(({ iid }) => iid))
  }

  protected async readPull(number: number, signal: AbortSignal): Promise<PullRequest> {
    return this.#complete(await this.#readMerge(number, signal), signal)
  }

  protected async createPull({ branch, base, title, body }: NewPullRequest, signal: AbortSignal): Promise<PullRequest> {
    const merge = { source_branch: branch, target_branch: base, title, description: body }
    const call = { method: 'POST' as const, path: '/merge_requests', body: merge, reply: gitlabMergeRequestSchema }
    return this.#complete(await this.call(call, signal), signal)
  }

  protected async changePull(number: number, { title, body }: PullRequestChange, signal: AbortSignal) {
    return this.#complete(await this.#changeMerge(number, { title, description: body }, signal), signal)
  }

  protected async closePull(number: number, signal: AbortSignal): Promise<PullRequest> {
    return this.#complete(await this.#changeMerge(number, { state_event: 'close' }, signal), signal)
  }

  protected override listIssues(signal: AbortSignal): Promise<readonly RestIssue[]> {
    const query = { order_by: 'created_at', sort: 'desc', per_page: 100 }
    return this.call({ path: '/issues', query, reply: z.array(gitlabIssueSchema) }, signal)
  }

  protected override createIssue({ title, body }: { title: string; body: string }, signal: AbortSignal) {
    const issue = { title, description: body }
    return this.call({ method: 'POST', path: '/issues', body: issue, reply: gitlabIssueSchema }, signal)
  }

  protected listComments(number: number, signal: AbortSignal): Comments {
    const query = { sort: 'asc', order_by: 'created_at' }
    return this.pages({ path: `/merge_requests/${number}/notes`, query, item: gitlabNoteSchema }, signal)
  }

  protected describeStatus({ name, state, summary }: PullRequestCheck): object {
    const description = summary.slice(0, statusCharsMax)
    return { name, description, state: state === 'failed' ? 'failed' : 'success' }
  }

  protected addComment(number: number, body: string, signal: AbortSignal): Promise<{ id: number }> {
    const path = `/merge_requests/${number}/notes`
    return this.call({ method: 'POST', path, body: { body }, reply: gitlabNoteSchema }, signal)
  }

  protected changeComment({ number, id, body }: { number: number; id: string; body: string }, signal: AbortSignal) {
    const path = `/merge_requests/${number}/notes/${id}`
    return this.call<void>({ method: 'PUT', path, body: { body }, reply: null }, signal)
  }

  protected override async attachLabels(number: number, names: readonly string[], signal: AbortSignal): Promise<void> {
    // GitLab treats a comma as a label separator.
    const labels = names.map((name) => name.replaceAll(',', ' ').trim()).filter((name) => name !== '')
    if (labels.length > 0) await this.#changeMerge(number, { add_labels: labels }, signal)
  }

  protected async askReviewers(number: number, names: readonly string[], signal: AbortSignal): Promise<void> {
    const asked = await Promise.all(names.map((name) => this.#requireUser(name, signal)))
    const merge = await this.#readMerge(number, signal)
    const known = (merge.reviewers ?? []).map((user) => user.id)
    await this.#changeMerge(number, { reviewer_ids: [...new Set([...known, ...asked])] }, signal)
  }

  async readPermission(user: string, signal: AbortSignal): Promise<RepositoryPermission> {
    const id = await this.#findUser(user, signal)
    const member = id === null ? null : await this.#findMember(id, signal)
    const level = member?.state === 'awaiting' ? 0 : (member?.access_level ?? 0)
    if (level >= maintainer) return 'admin'
    if (level >= developer) return 'write'
    if (level >= reporter) return 'read'
    return (await this.#readProject(signal)).visibility === 'public' ? 'read' : 'none'
  }

  #readMerge(iid: number, signal: AbortSignal): Promise<GitlabMergeRequest> {
    return this.call({ path: `/merge_requests/${iid}`, reply: gitlabMergeRequestSchema }, signal)
  }

  #changeMerge(iid: number, body: object, signal: AbortSignal): Promise<GitlabMergeRequest> {
    const path = `/merge_requests/${iid}`
    return this.call({ method: 'PUT', path, body, reply: gitlabMergeRequestSchema }, signal)
  }

  /** GitLab updates merge requests some time after a push, so open ones take the tips from their branches. */
  async #complete(merge: GitlabMergeRequest, signal: AbortSignal): Promise<PullRequest> {
    if (merge.state === 'merged' || merge.state === 'closed') return toPullRequest(merge, { head: null, base: null })
    const [head, base] = await Promise.all([
      this.#findTip(merge.source_branch, signal),
      this.#findTip(merge.target_branch, signal),
    ])
    return toPullRequest(merge, { head, base })
  }

  async #findTip(branch: string, signal: AbortSignal): Promise<string | null> {
    const path = `/repository/branches/${encodeURIComponent(branch)}`
    const found = await this.find({ path, reply: gitlabBranchSchema }, signal)
    return found?.commit.id ?? null
  }

  async #findUser(username: string, signal: AbortSignal): Promise<number | null> {
    const wanted = username.replace(/^@/, '').toLowerCase()
    const call = { path: '/users', query: { username: wanted }, reply: z.array(gitlabUserSchema) }
    const users = await this.client.call(call, signal)
    const user = users.find((found) => found.username.toLowerCase() === wanted)
    return user === undefined || user.state === 'blocked' ? null : user.id
  }

  async #requireUser(username: string, signal: AbortSignal): Promise<number> {
    const id = await this.#findUser(username, signal)
    if (id !== null) return id
    throw new ForgeError('invalid', `GitLab has no user "${username.slice(0, 100)}" who can review. Name another user.`)
  }

  #findMember(user: number, signal: AbortSignal) {
    return this.find({ path: `/members/all/${user}`, reply: gitlabMemberSchema }, signal)
  }
}
