import { z } from 'zod'
import { checkBranchName } from '../../git/refs.ts'
import type { Log } from '../../telemetry/log.ts'
import { pullRequestNotFound } from '../builtin/builtin-host-deps.ts'
import { checkGiteaAccess } from './check-gitea-access.ts'
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
import { type ForgeCall, type ForgeClient, hasReason, refuse } from '../forge/forge-client.ts'
import { ForgeError } from '../forge/forge-error.ts'
import { ForgeGit, ForgeGitClosedError } from '../forge/forge-git.ts'
import type { ForgeHostDeps, ForgeRepository } from '../forge/forge-host.ts'
import { createGiteaClient } from './gitea-client.ts'
import { createGiteaCommitter } from './gitea-commits.ts'
import {
  giteaCommentSchema,
  giteaCommentTextSchema,
  giteaHookSchema,
  giteaDraftMark,
  giteaLabelSchema,
  giteaPermissionSchema,
  type GiteaPullRequest,
  giteaPullRequestSchema,
  type GiteaRepository,
  giteaRepositorySchema,
  isOwnBranch,
  readHeadBranch,
  toPullRequest,
} from './gitea-replies.ts'
import { boundBody, boundTitle } from '../pull-request-bounds.ts'
import { pushFiles } from '../forge/push-files.ts'

/** One repository of a Gitea or Forgejo as a code host. */
export function openGiteaCodeHost(deps: ForgeHostDeps, repository: ForgeRepository): CodeHost {
  return new GiteaCodeHost(deps, repository)
}

/** The most that Gitea gives at once unless it is set up otherwise. */
const pageSize = 50
/** The interface has no search by branch, so that lists are read: of open ones as many as a busy repository has. */
const openPagesMax = 10
const labelPagesMax = 10

/** What `readGiteaWebhook` reads. A Forgejo takes the same names. */
const webhookEvents = [
  'push',
  'pull_request',
  'issue_comment',
  'pull_request_comment',
  'pull_request_review_approved',
  'pull_request_review_rejected',
  'pull_request_review_comment',
]

/** Of a label that is made because the repository lacks it. */
const labelColor = '#7057ff'

class GiteaCodeHost implements CodeHost {
  readonly kind = 'gitea'
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
  /** `owner/name` as it is now, once it was asked for; also what is redirected from the former one. */
  #path: string | null = null

  constructor(deps: ForgeHostDeps, repository: ForgeRepository) {
    this.#repository = repository
    this.#log = deps.log
    this.#client = createGiteaClient(deps, repository)
    this.#git = new ForgeGit(deps, repository, {
      readPath: async (signal) => (await this.#readRepository(signal)).full_name,
      closedMessage: `The token opens ${repository.path}, but not to git. Give it the permission "write:repository", and let the installation serve git over HTTP.`,
    })
  }

  async readSource(signal: AbortSignal) {
    const found = await this.#readRepository(signal)
    if (found.empty === true) throw refuse(`The repository ${found.full_name} has no commit yet. Push something first.`)
    return { repository: found.full_name, defaultBranch: found.default_branch }
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
    const found = (await this.#findOpen(branch, signal)) ?? (await this.#findEnded(branch, signal))
    return found === null ? null : toPullRequest(found)
  }

  async openPullRequest(input: OpenPullRequestInput, signal: AbortSignal): Promise<PullRequest> {
    const { branch, title, body, isDraft } = input
    const bringUpToDate = ({ number }: GiteaPullRequest) => {
      return this.updatePullRequest({ id: String(number), title, body, isDraft }, signal)
    }
    const open = await this.#findOpen(branch, signal)
    if (open !== null) return bringUpToDate(open)
    const base = input.base ?? (await this.readSource(signal)).defaultBranch
    if (branch === base) throw refuse('A pull request needs two branches: name another one as its base.')
    return this.#create(input, base, signal).catch(async (error: unknown) => {
      // Somebody was quicker, or the answer to an earlier try got lost.
      const known = hasReason(error, 'conflict', 'invalid') ? await this.#findOpen(branch, signal) : null
      if (known === null) throw error
      return bringUpToDate(known)
    })
  }

  async updatePullRequest(input: UpdatePullRequestInput, signal: AbortSignal): Promise<PullRequest> {
    const { title, body, isDraft } = input
    const index = readId(input.id)
    const isNamed = title !== undefined || isDraft !== undefined
    const change = {
      ...(isNamed ? { title: await this.#composeTitle(input, signal) } : {}),
      ...(body === undefined ? {} : { body: boundBody(body) }),
    }
    if (Object.keys(change).length === 0) return this.readPullRequest(input.id, signal)
    return this.#change(index, change, signal)
  }

  async readPullRequest(id: string, signal: AbortSignal): Promise<PullRequest> {
    const call = { path: `/pulls/${readId(id)}`, reply: giteaPullRequestSchema }
    return toPullRequest(await this.#call(call, signal).catch((error) => throwNotFound(error, id)))
  }

  async closePullRequest(id: string, signal: AbortSignal): Promise<PullRequest> {
    const known = await this.readPullRequest(id, signal)
    return known.state === 'open' ? this.#change(known.number, { state: 'closed' }, signal) : known
  }

  async comment({ id, body }: { id: string; body: string }, signal: AbortSignal): Promise<{ commentId: string }> {
    const path = `/issues/${readId(id)}/comments`
    const call = { method: 'POST' as const, path, body: { body: boundBody(body) }, reply: giteaCommentSchema }
    const comment = await this.#call(call, signal).catch((error) => throwNotFound(error, id))
    return { commentId: String(comment.id) }
  }

  async editComment(
    { id, commentId, body }: { id: string; commentId: string; body: string },
    signal: AbortSignal,
  ): Promise<void> {
    readId(id)
    const gone = refuse('The comment is not there any more. Write a new one.')
    if (!/^\d{1,18}$/.test(commentId)) throw gone
    const path = `/issues/comments/${commentId}`
    await this.#call({ method: 'PATCH', path, body: { body: boundBody(body) }, reply: null }, signal).catch((error) => {
      throw hasReason(error, 'not-found') ? gone : error
    })
  }

  /** The interface gives all comments at once. */
  async findComment({ id, mark }: { id: string; mark: string }, signal: AbortSignal) {
    const call = { path: `/issues/${readId(id)}/comments`, reply: z.array(giteaCommentTextSchema) }
    const comments = await this.#call(call, signal).catch((error) => throwNotFound(error, id))
    const found = comments.find(({ body }) => body?.startsWith(mark) === true)
    return found === undefined ? null : { commentId: String(found.id) }
  }

  async ensureWebhook({ url, secret }: { url: string; secret: string }, signal: AbortSignal) {
    const query = { limit: pageSize }
    const hooks = await this.#call({ path: '/hooks', query, reply: z.array(giteaHookSchema) }, signal)
    const known = hooks.find(({ config }) => config?.['url'] === url)
    const hook = { config: { url, secret, content_type: 'json' }, events: webhookEvents, active: true }
    if (known === undefined) {
      await this.#call({ method: 'POST', path: '/hooks', body: { type: 'gitea', ...hook }, reply: null }, signal)
      return 'added'
    }
    await this.#call({ method: 'PATCH', path: `/hooks/${known.id}`, body: hook, reply: null }, signal)
    return 'updated'
  }

  async addLabels({ id, labels }: { id: string; labels: readonly string[] }, signal: AbortSignal): Promise<void> {
    const index = readId(id)
    const names = labels.map((label) => label.trim()).filter((label) => label !== '')
    if (names.length === 0) return
    const known = await this.#listLabels(signal)
    const ids: number[] = []
    for (const name of names) ids.push(known.get(name.toLowerCase()) ?? (await this.#createLabel(name, signal)))
    const call = { method: 'POST' as const, path: `/issues/${index}/labels`, body: { labels: ids }, reply: null }
    await this.#call(call, signal).catch((error) => throwNotFound(error, id))
  }

  async requestReviewers(
    { id, reviewers }: { id: string; reviewers: readonly string[] },
    signal: AbortSignal,
  ): Promise<void> {
    const { number } = await this.readPullRequest(id, signal)
    if (reviewers.length === 0) return
    const path = `/pulls/${number}/requested_reviewers`
    const body = { reviewers: reviewers.map((name) => name.replace(/^@/, '')) }
    await this.#call({ method: 'POST', path, body, reply: null }, signal).catch((error: unknown) => {
      if (!hasReason(error, 'not-found')) throw error
      const names = reviewers.join(', ').slice(0, 200)
      throw new ForgeError(
        'invalid',
        `Not all of ${names} can be asked for a review. Name users who see the repository.`,
      )
    })
  }

  async readPermission(user: string, signal: AbortSignal): Promise<RepositoryPermission> {
    const name = encodeURIComponent(user.replace(/^@/, ''))
    const path = `/repos/${await this.#findPath(signal)}/collaborators/${name}/permission`
    const found = await this.#client.find({ path, reply: giteaPermissionSchema }, signal).catch((error: unknown) => {
      if (!hasReason(error, 'forbidden')) throw error
      throw new ForgeError(
        'forbidden',
        `Only an administrator of ${this.#repository.path} may ask what others may do there. Make the account of the token one.`,
        { cause: error },
      )
    })
    const permission = found?.permission
    if (permission === 'owner' || permission === 'admin') return 'admin'
    return permission === 'write' || permission === 'read' ? permission : 'none'
  }

  checkAccess(signal: AbortSignal): Promise<AccessCheck[]> {
    return checkGiteaAccess({ client: this.#client, git: this.#git, repository: this.#repository }, signal)
  }

  async #pushFiles(input: PushBranchInput, signal: AbortSignal): Promise<PushOutcome> {
    const committer = createGiteaCommitter(this.#client, await this.#findPath(signal))
    const known = input.expected ?? (await this.resolveBranch(null, signal)).commit
    const gitDirectory = await this.#git.openDirectory(known, signal)
    return pushFiles(committer, { ...input, gitDirectory }, signal)
  }

  async #readRepository(signal: AbortSignal): Promise<GiteaRepository> {
    const path = `/repos/${this.#repository.path}`
    const found = await this.#client.call({ path, reply: giteaRepositorySchema }, signal)
    this.#path = found.full_name
    return found
  }

  async #findPath(signal: AbortSignal): Promise<string> {
    return this.#path ?? (await this.#readRepository(signal)).full_name
  }

  /** @param call.path Below the repository. */
  async #call<Reply>(call: ForgeCall<Reply>, signal: AbortSignal): Promise<Reply> {
    return this.#client.call({ ...call, path: `/repos/${await this.#findPath(signal)}${call.path}` }, signal)
  }

  async #findOpen(branch: string, signal: AbortSignal): Promise<GiteaPullRequest | null> {
    for (let page = 1; page <= openPagesMax; page++) {
      const pulls = await this.#listPulls({ state: 'open', sort: 'recentupdate', page }, signal)
      const found = newestOf(pulls, branch)
      if (found !== null) return found
      if (pulls.length < pageSize) return null
    }
    return null
  }

  /** Among those that ended lately, and the one that Gitea knows for the branch and the default branch. */
  async #findEnded(branch: string, signal: AbortSignal): Promise<GiteaPullRequest | null> {
    const { defaultBranch } = await this.readSource(signal)
    const path = `/repos/${await this.#findPath(signal)}/pulls/${encodeURIComponent(defaultBranch)}/${encodeURIComponent(branch)}`
    const [listed, known] = await Promise.all([
      this.#listPulls({ state: 'closed', sort: 'recentupdate', page: 1 }, signal),
      this.#client.find({ path, reply: giteaPullRequestSchema }, signal),
    ])
    return newestOf(known === null ? listed : [...listed, known], branch)
  }

  #listPulls(query: Record<string, string | number>, signal: AbortSignal): Promise<GiteaPullRequest[]> {
    return this.#call(
      { path: '/pulls', query: { ...query, limit: pageSize }, reply: z.array(giteaPullRequestSchema) },
      signal,
    )
  }

  async #create(input: OpenPullRequestInput, base: string, signal: AbortSignal): Promise<PullRequest> {
    const title = markTitle(input.title, input.isDraft)
    const body = { head: input.branch, base, title, body: boundBody(input.body) }
    const call = { method: 'POST' as const, path: '/pulls', body, reply: giteaPullRequestSchema }
    return toPullRequest(await this.#call(call, signal))
  }

  async #change(index: number, body: Record<string, unknown>, signal: AbortSignal): Promise<PullRequest> {
    const call = { method: 'PATCH' as const, path: `/pulls/${index}`, body, reply: giteaPullRequestSchema }
    return toPullRequest(await this.#call(call, signal).catch((error) => throwNotFound(error, String(index))))
  }

  /** The title says too whether it is a draft, so that neither changes without the other. */
  async #composeTitle({ id, title, isDraft }: UpdatePullRequestInput, signal: AbortSignal): Promise<string> {
    if (title !== undefined && isDraft !== undefined) return markTitle(title, isDraft)
    const known = await this.readPullRequest(id, signal)
    return markTitle(title ?? known.title, isDraft ?? known.isDraft)
  }

  async #listLabels(signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
    const known = new Map<string, number>()
    for (let page = 1; page <= labelPagesMax; page++) {
      const query = { page, limit: pageSize }
      const labels = await this.#call({ path: '/labels', query, reply: z.array(giteaLabelSchema) }, signal)
      for (const { id, name } of labels) known.set(name.toLowerCase(), id)
      if (labels.length < pageSize) break
    }
    return known
  }

  async #createLabel(name: string, signal: AbortSignal): Promise<number> {
    const body = { name, color: labelColor }
    return (await this.#call({ method: 'POST', path: '/labels', body, reply: giteaLabelSchema }, signal)).id
  }
}

function newestOf(pulls: readonly GiteaPullRequest[], branch: string): GiteaPullRequest | null {
  const own = pulls.filter((pull) => isOwnBranch(pull) && readHeadBranch(pull) === branch)
  return own.toSorted((one, other) => other.number - one.number)[0] ?? null
}

function readId(id: string): number {
  if (/^[1-9]\d{0,9}$/.test(id)) return Number(id)
  throw pullRequestNotFound(id)
}

function throwNotFound(error: unknown, id: string): never {
  throw hasReason(error, 'not-found') ? pullRequestNotFound(id) : error
}

function markTitle(title: string, isDraft: boolean): string {
  return isDraft ? `${giteaDraftMark}${boundTitle(title)}` : boundTitle(title)
}
