import { forges } from '../../contract/code-hosts.ts'
import { checkBranchName } from '../../git/repositories/refs.ts'
import { refusal } from '../../contract/app-error.ts'
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
import { ForgeError, hasReason } from '../forge/forge-error.ts'
import type { ForgeHostDeps, ForgeRepository } from '../forge/forge-host.ts'
import type { ForgeTransport } from '../forge/forge-transport.ts'
import { checkGithubAccess } from './github-access.ts'
import { GithubApi } from './github-api.ts'
import { classifyTip, pushByApi, type PushByApiInput } from './github-commits.ts'
import { closePull, findPull, openPull, readPull, toPullRequest, updatePull } from './github-pull-requests.ts'
import { ensureHook } from './github-hooks.ts'
import {
  anySchema,
  commentSchema,
  commentTextSchema,
  issueSchema,
  repositorySchema,
  userPermissionSchema,
} from './github-replies.ts'
import type { GithubCall } from './github-request.ts'
import { boundBody, boundTitle } from '../pull-request-bounds.ts'
import { pullRequestNotFound, readPullRequestNumber } from '../pull-request-number.ts'

/** A repository on github.com or an Enterprise Server as a code host. */
export function openGithubCodeHost(deps: ForgeHostDeps, repository: ForgeRepository): CodeHost {
  return new GithubCodeHost(deps, repository)
}

const labelCharsMax = 50
const statusCharsMax = 140
const titleCharsMax = 200
const issuesMax = 100
const commentsPerPage = 100
const commentPagesMax = 10

class GithubCodeHost implements CodeHost {
  readonly kind = 'github'
  readonly capabilities = forges.github.capabilities
  readonly #deps: ForgeHostDeps
  readonly #repository: ForgeRepository
  readonly #api: GithubApi
  /** For the repository's current name. Fixed while the host is open, because its mirror contains commits. */
  #transport: ForgeTransport | null = null
  /** The mirror; null until a commit is opened. */
  #gitDirectory: string | null = null

  constructor(deps: ForgeHostDeps, repository: ForgeRepository) {
    this.#deps = deps
    this.#repository = repository
    this.#api = new GithubApi(deps, repository)
  }

  async readSource(signal: AbortSignal): Promise<HostedSource> {
    const { full_name: repository, default_branch: defaultBranch } = await this.#readRepository(signal)
    return { repository, defaultBranch }
  }

  async resolveBranch(name: string | null, signal: AbortSignal): Promise<BranchTip> {
    if (name !== null) checkBranchName(name)
    return this.#runGit((transport, credential) => transport.resolveBranch(name, credential, signal), signal)
  }

  async openBase(commit: string, signal: AbortSignal): Promise<BaseRepository> {
    const base = await this.#runGit((transport, credential) => transport.openBase(commit, credential, signal), signal)
    this.#gitDirectory = base.gitDirectory
    return base
  }

  /** Through git, or through the API if the App is to sign its commits or git cannot push. */
  async pushBranch(input: PushBranchInput, signal: AbortSignal): Promise<PushOutcome> {
    checkBranchName(input.branch)
    const { default_branch: defaultBranch } = await this.#readRepository(signal)
    if (input.branch === defaultBranch) {
      throw refusal(
        `The branch "${defaultBranch}" is protected: it changes only when pull requests are merged. Push to another branch.`,
      )
    }
    const credential = await this.#deps.readCredential(signal)
    if (credential === null) throw this.#missingCredential()
    if (credential.kind === 'github-app' && credential.wantsVerifiedCommits === true) {
      return this.#pushByApi(input, signal)
    }
    try {
      const outcome = await this.#pushByGit({ ...input, defaultBranch }, signal)
      if (outcome.outcome === 'pushed' || outcome.commit === null) return outcome
      // An earlier call whose result was lost may have pushed it through the API.
      return await classifyTip(this.#api, await this.#locate(input, signal), outcome.commit, signal)
    } catch (error) {
      if (!isClosed(error)) throw error
      const { reason } = error
      this.#deps.log.info({ repository: this.#repository.path, reason }, 'push-continued-by-api')
      return this.#pushByApi(input, signal)
    }
  }

  async findPullRequest({ branch }: { branch: string }, signal: AbortSignal): Promise<PullRequest | null> {
    const pull = await findPull(this.#api, { owner: await this.#readOwner(signal), branch }, signal)
    return pull === null ? null : toPullRequest(pull)
  }

  async openPullRequest(input: OpenPullRequestInput, signal: AbortSignal): Promise<PullRequest> {
    const repository = await this.#readRepository(signal)
    const base = input.base ?? repository.default_branch
    if (base === input.branch) throw refusal('A pull request needs two different branches. Name another base.')
    const owner = ownerOf(repository.full_name)
    return toPullRequest(await openPull(this.#api, { ...input, owner, base }, signal))
  }

  async updatePullRequest({ id, ...changes }: UpdatePullRequestInput, signal: AbortSignal): Promise<PullRequest> {
    const before = await readPull(this.#api, readPullRequestNumber(id), signal)
    return toPullRequest(await updatePull(this.#api, before, changes, signal))
  }

  async readPullRequest(id: string, signal: AbortSignal): Promise<PullRequest> {
    return toPullRequest(await readPull(this.#api, readPullRequestNumber(id), signal))
  }

  async closePullRequest(id: string, signal: AbortSignal): Promise<PullRequest> {
    return toPullRequest(await closePull(this.#api, readPullRequestNumber(id), signal))
  }

  async openIssue({ mark, title, body }: OpenIssueInput, signal: AbortSignal): Promise<{ url: string }> {
    const route = 'GET /repos/{owner}/{repo}/issues'
    const parameters = { state: 'all', sort: 'created', direction: 'desc', per_page: issuesMax } as const
    const known = await this.#api.call({ route, parameters, reply: issueSchema.array() }, signal)
    const found = known.find((issue) => issue.body?.startsWith(mark) === true)
    const issue = { title: boundTitle(title), body: boundBody(`${mark}\n${body}`) }
    const open = { route: 'POST /repos/{owner}/{repo}/issues', parameters: issue, reply: issueSchema } as const
    return { url: (found ?? (await this.#api.call(open, signal))).html_url }
  }

  async comment({ id, body }: { id: string; body: string }, signal: AbortSignal): Promise<{ commentId: string }> {
    const parameters = { issue_number: readPullRequestNumber(id), body: boundBody(body) }
    const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'
    const made = await this.#callOf(id, { route, parameters, reply: commentSchema }, signal)
    return { commentId: String(made.id) }
  }

  async editComment(input: { id: string; commentId: string; body: string }, signal: AbortSignal): Promise<void> {
    readPullRequestNumber(input.id)
    const isId = /^[1-9]\d{0,15}$/.test(input.commentId)
    const parameters = { comment_id: Number(input.commentId), body: boundBody(input.body) }
    const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}'
    const edited = isId ? await this.#api.find({ route, parameters, reply: commentSchema }, signal) : null
    if (edited === null) throw refusal('The comment no longer exists. Write a new one.')
  }

  async findComment({ id, mark }: { id: string; mark: string }, signal: AbortSignal) {
    const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments'
    for (let page = 1; page <= commentPagesMax; page++) {
      const parameters = { issue_number: readPullRequestNumber(id), per_page: commentsPerPage, page }
      const comments = await this.#callOf(id, { route, parameters, reply: commentTextSchema.array() }, signal)
      const found = comments.find(({ body }) => body?.startsWith(mark) === true)
      if (found !== undefined) return { commentId: String(found.id) }
      if (comments.length < commentsPerPage) break
    }
    return null
  }

  /** As a check run, which only Apps may write, else as a status. */
  async reportCheck(
    { commit, check }: { commit: string; check: PullRequestCheck },
    signal: AbortSignal,
  ): Promise<void> {
    const isRefused = (error: unknown) => {
      if (!hasReason(error, 'forbidden', 'not-found')) throw error
      return false
    }
    const credential = await this.#deps.readCredential(signal)
    const isDone = credential?.kind === 'github-app' && (await this.#reportRun(commit, check, signal).catch(isRefused))
    if (!isDone) await this.#reportStatus(commit, check, signal).catch(isRefused)
  }

  async #reportRun(commit: string, { name, state, summary }: PullRequestCheck, signal: AbortSignal): Promise<boolean> {
    const conclusion = state === 'failed' ? 'failure' : state === 'warning' ? 'neutral' : 'success'
    const output = { title: summary.slice(0, titleCharsMax), summary }
    const parameters = { name, head_sha: commit, status: 'completed', conclusion, output } as const
    await this.#api.call({ route: 'POST /repos/{owner}/{repo}/check-runs', parameters, reply: anySchema }, signal)
    return true
  }

  async #reportStatus(commit: string, { name, state, summary }: PullRequestCheck, signal: AbortSignal): Promise<void> {
    const description = summary.slice(0, statusCharsMax)
    const outcome = state === 'failed' ? 'failure' : 'success'
    const parameters = { sha: commit, context: name, description, state: outcome }
    await this.#api.call({ route: 'POST /repos/{owner}/{repo}/statuses/{sha}', parameters, reply: anySchema }, signal)
  }

  ensureWebhook(input: { url: string; secret: string }, signal: AbortSignal) {
    return ensureHook(this.#api, input, signal)
  }

  async addLabels({ id, labels }: { id: string; labels: readonly string[] }, signal: AbortSignal): Promise<void> {
    const names = labels.map((label) => label.trim().slice(0, labelCharsMax)).filter(Boolean)
    if (names.length === 0) return
    const parameters = { issue_number: readPullRequestNumber(id), labels: names }
    const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels'
    await this.#callOf(id, { route, parameters, reply: anySchema }, signal)
  }

  async requestReviewers(
    { id, reviewers }: { id: string; reviewers: readonly string[] },
    signal: AbortSignal,
  ): Promise<void> {
    if (reviewers.length === 0) return
    const parameters = { pull_number: readPullRequestNumber(id), reviewers }
    const route = 'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers'
    await this.#callOf(id, { route, parameters, reply: anySchema }, signal)
  }

  async readPermission(user: string, signal: AbortSignal): Promise<RepositoryPermission> {
    if (!/^[\w.-]{1,100}(?:\[bot\])?$/.test(user)) return 'none'
    const parameters = { username: user }
    const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission'
    const found = await this.#api.find({ route, parameters, reply: userPermissionSchema }, signal)
    return permissions[found?.permission ?? ''] ?? 'none'
  }

  checkAccess(signal: AbortSignal): Promise<AccessCheck[]> {
    return checkGithubAccess(this.#api, this.#repository.path, signal)
  }

  #readRepository(signal: AbortSignal) {
    return this.#api.call({ route: 'GET /repos/{owner}/{repo}', reply: repositorySchema }, signal)
  }

  /** The current owner: a transferred repository can still be found by its former name for a while. */
  async #readOwner(signal: AbortSignal): Promise<string> {
    return ownerOf((await this.#readRepository(signal)).full_name)
  }

  /** A call about a pull request. @throws {AppError} `pull_request_not_found` if it does not exist. */
  async #callOf<Reply>(id: string, call: GithubCall<Reply>, signal: AbortSignal): Promise<Reply> {
    const reply = await this.#api.find(call, signal)
    if (reply === null) throw pullRequestNotFound(id)
    return reply
  }

  async #pushByGit(input: PushBranchInput & { defaultBranch: string }, signal: AbortSignal): Promise<PushOutcome> {
    return this.#runGit((transport, credential) => {
      if (credential === null) throw this.#missingCredential()
      return transport.pushBranch(input, credential, signal)
    }, signal)
  }

  #missingCredential(): ForgeError {
    const message = `Pushing to ${this.#repository.path} needs a credential. Give the site a token with write access, or connect an App.`
    return new ForgeError('unauthorized', message)
  }

  async #pushByApi(input: PushBranchInput, signal: AbortSignal): Promise<PushOutcome> {
    return pushByApi(this.#api, await this.#locate(input, signal), signal)
  }

  /** Adds the mirror, opening it at the default branch if nothing was opened yet. */
  async #locate(input: PushBranchInput, signal: AbortSignal): Promise<PushByApiInput> {
    if (this.#gitDirectory === null) {
      const { commit } = await this.resolveBranch(null, signal)
      await (await this.openBase(commit, signal)).close()
    }
    return { ...input, gitDirectory: this.#gitDirectory ?? '' }
  }

  /** Git finds a repository only by its current name, so if git finds nothing, GitHub is asked for that name. */
  async #runGit<Result>(
    work: (transport: ForgeTransport, credential: { username: string; token: string } | null) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const isSettled = this.#transport !== null
    const transport = this.#transport ?? this.#deps.transport(this.#repository)
    const run = (chosen: ForgeTransport) => this.#api.runGit((credential) => work(chosen, credential), signal)
    try {
      const result = await run(transport)
      this.#transport = transport
      return result
    } catch (error) {
      const isMissing = error instanceof ForgeError && !error.isPassing && error.reason !== 'conflict'
      if (!isMissing || isSettled) throw error
      // Also gives the reason if the credential does not open the repository.
      const { full_name: path } = await this.#readRepository(signal)
      if (path.toLowerCase() === this.#repository.path.toLowerCase()) throw error
      const moved = this.#deps.transport({ ...this.#repository, path })
      const result = await run(moved)
      this.#transport = moved
      return result
    }
  }
}

const permissions: Readonly<Record<string, RepositoryPermission>> = { admin: 'admin', write: 'write', read: 'read' }

function ownerOf(fullName: string): string {
  return fullName.split('/')[0] ?? ''
}

/** Whether git failed for a reason that may not affect the API. */
function isClosed(error: unknown): error is ForgeError {
  return error instanceof ForgeError && error.reason !== 'conflict' && error.reason !== 'rate-limited'
}
