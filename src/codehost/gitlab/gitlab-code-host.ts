import { z } from 'zod'
import { checkBranchName } from '../../git/refs.ts'
import type { Log } from '../../telemetry/log.ts'
import { pullRequestNotFound } from '../builtin/builtin-host-deps.ts'
import type {
  AccessCheck,
  BranchTip,
  CodeHost,
  OpenPullRequestInput,
  PullRequest,
  PushBranchInput,
  PushOutcome,
  RepositoryPermission,
  UpdatePullRequestInput,
} from '../code-host.ts'
import { checkGitlabAccess } from './check-gitlab-access.ts'
import { type ForgeCall, type ForgeClient, hasReason, refuse } from '../forge/forge-client.ts'
import { ForgeError } from '../forge/forge-error.ts'
import { ForgeGit, ForgeGitClosedError } from '../forge/forge-git.ts'
import type { ForgeHostDeps, ForgeRepository } from '../forge/forge-host.ts'
import { createGitlabClient } from './gitlab-client.ts'
import { createGitlabCommitter } from './gitlab-commits.ts'
import {
  gitlabBranchSchema,
  gitlabDraftMark,
  gitlabMemberSchema,
  type GitlabMergeRequest,
  gitlabMergeRequestSchema,
  gitlabHookSchema,
  gitlabNoteSchema,
  gitlabNoteTextSchema,
  type GitlabProject,
  gitlabProjectSchema,
  gitlabUserSchema,
  toPullRequest,
} from './gitlab-replies.ts'
import { boundBody, boundTitle } from '../pull-request-bounds.ts'
import { pushFiles } from '../forge/push-files.ts'

/** One project of a GitLab as a code host. */
export function openGitlabCodeHost(deps: ForgeHostDeps, repository: ForgeRepository): CodeHost {
  return new GitlabCodeHost(deps, repository)
}

/** The most that GitLab gives at once. */
const pageSize = 100
const notePagesMax = 10

/** What `readGitlabWebhook` reads. */
const webhookEvents = { push_events: true, tag_push_events: true, merge_requests_events: true, note_events: true }

/** The roles of GitLab by number. @see https://docs.gitlab.com/api/access_requests/#valid-access-levels */
const reporter = 20
const developer = 30
const maintainer = 40

class GitlabCodeHost implements CodeHost {
  readonly kind = 'gitlab'
  readonly capabilities = {
    drafts: true,
    checks: false,
    labels: true,
    reviewers: true,
    mergeability: true,
    webhooks: true,
  }
  readonly #repository: ForgeRepository
  readonly #log: Log
  readonly #client: ForgeClient
  readonly #git: ForgeGit
  /** The id and the path of the project stay, once they are known; a renamed one is found by its id alone. */
  #place: { id: number; path: string } | null = null

  constructor(deps: ForgeHostDeps, repository: ForgeRepository) {
    this.#repository = repository
    this.#log = deps.log
    this.#client = createGitlabClient(deps, repository)
    this.#git = new ForgeGit(deps, repository, {
      readPath: async (signal) => (await this.#readProject(signal)).path_with_namespace,
      closedMessage: `The token opens ${repository.path}, but not to git. Give it the scopes "read_repository" and "write_repository", or "api", and its account the role Developer.`,
    })
  }

  async readSource(signal: AbortSignal) {
    const project = await this.#readProject(signal)
    return { repository: project.path_with_namespace, defaultBranch: requireDefaultBranch(project) }
  }

  resolveBranch(name: string | null, signal: AbortSignal): Promise<BranchTip> {
    return this.#git.resolveBranch(name, signal)
  }

  openBase(commit: string, signal: AbortSignal) {
    return this.#git.openBase(commit, signal)
  }

  /** By git, or by the interface where git cannot get through. */
  async pushBranch(input: PushBranchInput, signal: AbortSignal): Promise<PushOutcome> {
    checkBranchName(input.branch)
    const { defaultBranch } = await this.readSource(signal)
    if (input.branch === defaultBranch) {
      throw refuse(`The branch "${defaultBranch}" is protected: only merges of pull requests move it. Push to another.`)
    }
    try {
      return await this.#git.pushBranch({ ...input, defaultBranch }, signal)
    } catch (error) {
      if (!(error instanceof ForgeGitClosedError)) throw error
      this.#log.info({ repository: this.#repository.path, reason: error.reason }, 'push-continued-by-api')
      return this.#pushFiles(input, signal)
    }
  }

  async findPullRequest({ branch }: { branch: string }, signal: AbortSignal): Promise<PullRequest | null> {
    const found = (await this.#findMerge(branch, 'opened', signal)) ?? (await this.#findMerge(branch, 'all', signal))
    return found === null ? null : this.readPullRequest(String(found.iid), signal)
  }

  async openPullRequest(input: OpenPullRequestInput, signal: AbortSignal): Promise<PullRequest> {
    const open = await this.#findMerge(input.branch, 'opened', signal)
    if (open !== null) return this.#bringUpToDate(open, input, signal)
    const { defaultBranch } = await this.readSource(signal)
    const base = input.base ?? defaultBranch
    if (input.branch === base) throw refuse('A pull request needs two branches: name another one as its base.')
    const made = await this.#createMerge(input, base, signal).catch(async (error: unknown) => {
      // Somebody was quicker, or the answer to an earlier try got lost.
      const known = hasReason(error, 'conflict', 'invalid')
        ? await this.#findMerge(input.branch, 'opened', signal)
        : null
      if (known === null) throw error
      return this.#bringUpToDate(known, input, signal)
    })
    return made
  }

  async updatePullRequest(input: UpdatePullRequestInput, signal: AbortSignal): Promise<PullRequest> {
    const { title, body, isDraft } = input
    const iid = readId(input.id)
    const isNamed = title !== undefined || isDraft !== undefined
    const change = {
      ...(isNamed ? { title: await this.#composeTitle(input, signal) } : {}),
      ...(body === undefined ? {} : { description: boundBody(body) }),
    }
    if (Object.keys(change).length === 0) return this.readPullRequest(input.id, signal)
    return this.#complete(await this.#changeMerge(iid, change, signal), signal)
  }

  /** The title says too whether it is a draft, so that neither changes without the other. */
  async #composeTitle({ id, title, isDraft }: UpdatePullRequestInput, signal: AbortSignal): Promise<string> {
    if (title !== undefined && isDraft !== undefined) return markTitle(title, isDraft)
    const known = await this.readPullRequest(id, signal)
    return markTitle(title ?? known.title, isDraft ?? known.isDraft)
  }

  async readPullRequest(id: string, signal: AbortSignal): Promise<PullRequest> {
    return this.#complete(await this.#readMerge(readId(id), signal), signal)
  }

  async closePullRequest(id: string, signal: AbortSignal): Promise<PullRequest> {
    const known = await this.readPullRequest(id, signal)
    if (known.state !== 'open') return known
    return this.#complete(await this.#changeMerge(known.number, { state_event: 'close' }, signal), signal)
  }

  async comment({ id, body }: { id: string; body: string }, signal: AbortSignal): Promise<{ commentId: string }> {
    const path = `/merge_requests/${readId(id)}/notes`
    const call = { method: 'POST' as const, path, body: { body: boundBody(body) }, reply: gitlabNoteSchema }
    const note = await this.#call(call, signal).catch((error) => throwNotFound(error, id))
    return { commentId: String(note.id) }
  }

  async editComment(
    { id, commentId, body }: { id: string; commentId: string; body: string },
    signal: AbortSignal,
  ): Promise<void> {
    const gone = refuse('The comment is not there any more. Write a new one.')
    if (!/^\d{1,18}$/.test(commentId)) throw gone
    const path = `/merge_requests/${readId(id)}/notes/${commentId}`
    await this.#call({ method: 'PUT', path, body: { body: boundBody(body) }, reply: null }, signal).catch((error) => {
      throw hasReason(error, 'not-found') ? gone : error
    })
  }

  async findComment({ id, mark }: { id: string; mark: string }, signal: AbortSignal) {
    const path = `/merge_requests/${readId(id)}/notes`
    for (let page = 1; page <= notePagesMax; page++) {
      const query = { sort: 'asc', order_by: 'created_at', per_page: pageSize, page }
      const call = { path, query, reply: z.array(gitlabNoteTextSchema) }
      const notes = await this.#call(call, signal).catch((error) => throwNotFound(error, id))
      const found = notes.find(({ body }) => body?.startsWith(mark) === true)
      if (found !== undefined) return { commentId: String(found.id) }
      if (notes.length < pageSize) break
    }
    return null
  }

  async ensureWebhook({ url, secret }: { url: string; secret: string }, signal: AbortSignal) {
    const query = { per_page: pageSize }
    const hooks = await this.#call({ path: '/hooks', query, reply: z.array(gitlabHookSchema) }, signal)
    const known = hooks.find((hook) => hook.url === url)
    const body = { url, token: secret, ...webhookEvents, enable_ssl_verification: true }
    if (known === undefined) {
      await this.#call({ method: 'POST', path: '/hooks', body, reply: null }, signal)
      return 'added'
    }
    await this.#call({ method: 'PUT', path: `/hooks/${known.id}`, body, reply: null }, signal)
    return 'updated'
  }

  async addLabels({ id, labels }: { id: string; labels: readonly string[] }, signal: AbortSignal): Promise<void> {
    // GitLab reads a comma as the beginning of another label.
    const names = labels.map((label) => label.replaceAll(',', ' ').trim()).filter((label) => label !== '')
    if (names.length > 0) await this.#changeMerge(readId(id), { add_labels: names }, signal)
  }

  async requestReviewers(
    { id, reviewers }: { id: string; reviewers: readonly string[] },
    signal: AbortSignal,
  ): Promise<void> {
    const iid = readId(id)
    if (reviewers.length === 0) return
    const asked = await Promise.all(reviewers.map((name) => this.#requireUser(name, signal)))
    const merge = await this.#readMerge(iid, signal)
    const known = (merge.reviewers ?? []).map((user) => user.id)
    await this.#changeMerge(iid, { reviewer_ids: [...new Set([...known, ...asked])] }, signal)
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

  checkAccess(signal: AbortSignal): Promise<AccessCheck[]> {
    return checkGitlabAccess({ client: this.#client, git: this.#git, repository: this.#repository }, signal)
  }

  async #pushFiles(input: PushBranchInput, signal: AbortSignal): Promise<PushOutcome> {
    const committer = createGitlabCommitter(this.#client, (await this.#findPlace(signal)).id)
    const known = input.expected ?? (await this.resolveBranch(null, signal)).commit
    const gitDirectory = await this.#git.openDirectory(known, signal)
    return pushFiles(committer, { ...input, gitDirectory }, signal)
  }

  /** Asked by its path, so that GitLab redirects a renamed one to its id. */
  async #readProject(signal: AbortSignal): Promise<GitlabProject> {
    const path = `/projects/${encodeURIComponent(this.#repository.path)}`
    const project = await this.#client.call({ path, reply: gitlabProjectSchema }, signal)
    this.#place = { id: project.id, path: project.path_with_namespace }
    return project
  }

  async #findPlace(signal: AbortSignal): Promise<{ id: number; path: string }> {
    if (this.#place !== null) return this.#place
    const { id, path_with_namespace: path } = await this.#readProject(signal)
    return { id, path }
  }

  /** @param call.path Below the project. */
  async #call<Reply>(call: ForgeCall<Reply>, signal: AbortSignal): Promise<Reply> {
    const { id } = await this.#findPlace(signal)
    return this.#client.call({ ...call, path: `/projects/${id}${call.path}` }, signal)
  }

  /** The newest merge request from a branch of the project itself, not of a fork. */
  async #findMerge(branch: string, state: 'opened' | 'all', signal: AbortSignal): Promise<GitlabMergeRequest | null> {
    const { id } = await this.#findPlace(signal)
    const order = { order_by: 'created_at', sort: 'desc', per_page: 20 }
    const query = { state, source_branch: branch, source_project_id: id, ...order }
    const found = await this.#call({ path: '/merge_requests', query, reply: z.array(gitlabMergeRequestSchema) }, signal)
    const own = found.filter(({ source_branch: source }) => source === branch)
    return own.toSorted((one, other) => other.iid - one.iid)[0] ?? null
  }

  #readMerge(iid: number, signal: AbortSignal): Promise<GitlabMergeRequest> {
    const call = { path: `/merge_requests/${iid}`, reply: gitlabMergeRequestSchema }
    return this.#call(call, signal).catch((error) => throwNotFound(error, String(iid)))
  }

  #changeMerge(iid: number, body: Record<string, unknown>, signal: AbortSignal): Promise<GitlabMergeRequest> {
    const call = { method: 'PUT' as const, path: `/merge_requests/${iid}`, body, reply: gitlabMergeRequestSchema }
    return this.#call(call, signal).catch((error) => throwNotFound(error, String(iid)))
  }

  async #createMerge(input: OpenPullRequestInput, base: string, signal: AbortSignal): Promise<PullRequest> {
    const body = {
      source_branch: input.branch,
      target_branch: base,
      title: markTitle(input.title, input.isDraft),
      description: boundBody(input.body),
    }
    const call = { method: 'POST' as const, path: '/merge_requests', body, reply: gitlabMergeRequestSchema }
    return this.#complete(await this.#call(call, signal), signal)
  }

  #bringUpToDate({ iid }: GitlabMergeRequest, input: OpenPullRequestInput, signal: AbortSignal): Promise<PullRequest> {
    const { title, body, isDraft } = input
    return this.updatePullRequest({ id: String(iid), title, body, isDraft }, signal)
  }

  async #complete(merge: GitlabMergeRequest, signal: AbortSignal): Promise<PullRequest> {
    if (merge.state === 'merged' || merge.state === 'closed') return toPullRequest(merge, { head: null, base: null })
    const [head, base] = await Promise.all([
      this.#findTip(merge.source_branch, signal),
      this.#findTip(merge.target_branch, signal),
    ])
    return toPullRequest(merge, { head, base })
  }

  async #findTip(branch: string, signal: AbortSignal): Promise<string | null> {
    const { id } = await this.#findPlace(signal)
    const path = `/projects/${id}/repository/branches/${encodeURIComponent(branch)}`
    const found = await this.#client.find({ path, reply: gitlabBranchSchema }, signal)
    return found?.commit.id ?? null
  }

  async #findUser(username: string, signal: AbortSignal): Promise<number | null> {
    const wanted = username.replace(/^@/, '').toLowerCase()
    const users = await this.#client.call(
      { path: '/users', query: { username: wanted }, reply: z.array(gitlabUserSchema) },
      signal,
    )
    const user = users.find((found) => found.username.toLowerCase() === wanted)
    return user === undefined || user.state === 'blocked' ? null : user.id
  }

  async #requireUser(username: string, signal: AbortSignal): Promise<number> {
    const id = await this.#findUser(username, signal)
    if (id !== null) return id
    throw new ForgeError(
      'invalid',
      `GitLab has no user "${username.slice(0, 100)}" who could be asked for a review. Name somebody else.`,
    )
  }

  async #findMember(user: number, signal: AbortSignal) {
    const { id } = await this.#findPlace(signal)
    return this.#client.find({ path: `/projects/${id}/members/all/${user}`, reply: gitlabMemberSchema }, signal)
  }
}

function requireDefaultBranch(project: GitlabProject): string {
  if (project.default_branch != null) return project.default_branch
  throw refuse(`The repository ${project.path_with_namespace} has no commit yet. Push something first.`)
}

function readId(id: string): number {
  if (/^[1-9]\d{0,9}$/.test(id)) return Number(id)
  throw pullRequestNotFound(id)
}

function throwNotFound(error: unknown, id: string): never {
  throw hasReason(error, 'not-found') ? pullRequestNotFound(id) : error
}

function markTitle(title: string, isDraft: boolean): string {
  return isDraft ? `${gitlabDraftMark}${boundTitle(title)}` : boundTitle(title)
}
