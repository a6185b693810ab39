import { checkBranchName } from '../../git/repositories/refs.ts'
import { refusal } from '../../contract/app-error.ts'
import type {
  AccessCheck,
  BaseRepository,
  BranchTip,
  CodeHost,
  HostedSource,
  PullRequest,
  PullRequestCheck,
  PushBranchInput,
  PushOutcome,
  RepositoryPermission,
} from '../code-host.ts'
import {
  type Comments,
  ForgeCodeHost,
  type NewPullRequest,
  type PullRequestChange,
  type RestIssue,
} from '../forge/forge-code-host.ts'
import { ForgeError, hasReason } from '../forge/forge-error.ts'
import type { ForgeHostDeps, ForgeRepository } from '../forge/forge-host.ts'
import type { ForgeTransport } from '../forge/forge-transport.ts'
import { checkGithubAccess } from './github-access.ts'
import { GithubApi } from './github-api.ts'
import { classifyTip, pushByApi, type PushByApiInput } from './github-commits.ts'
import { changePull, type GithubPull, patchPull, readPull, toPullRequest } from './github-pull-requests.ts'
import { ensureHook } from './github-hooks.ts'
import {
  anySchema,
  commentSchema,
  commentTextSchema,
  issueSchema,
  pullSchema,
  repositorySchema,
  userPermissionSchema,
} from './github-replies.ts'

/** A repository on github.com or an Enterprise Server as a code host. */
export function openGithubCodeHost(deps: ForgeHostDeps, repository: ForgeRepository): CodeHost {
  return new GithubCodeHost(deps, repository)
}

const labelCharsMax = 50
const statusCharsMax = 140
const titleCharsMax = 200
const issuesMax = 100
/** GitHub's largest page; one branch hardly has more. */
const pullsMax = 100
const commentsPerPage = 100
const commentPagesMax = 10

class GithubCodeHost extends ForgeCodeHost {
  readonly #deps: ForgeHostDeps
  readonly #api: GithubApi
  /** For the repository's current name. Fixed while the host is open, because its mirror contains commits. */
  #transport: ForgeTransport | null = null
  /** The mirror; null until a commit is opened. */
  #gitDirectory: string | null = null

  constructor(deps: ForgeHostDeps, repository: ForgeRepository) {
    super(repository, null)
    this.#deps = deps
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
      this.#deps.log.info({ repository: this.repository.path, reason }, 'push-continued-by-api')
      return this.#pushByApi(input, signal)
    }
  }

  protected async findOpen(branch: string, signal: AbortSignal): Promise<number | null> {
    return (await this.#listPulls(branch, signal)).find(({ state }) => state === 'open')?.number ?? null
  }

  protected async findEnded(branch: string, signal: AbortSignal): Promise<number | null> {
    return (await this.#listPulls(branch, signal))[0]?.number ?? null
  }

  /** Newest first. */
  async #listPulls(branch: string, signal: AbortSignal): Promise<GithubPull[]> {
    const { full_name: fullName } = await this.#readRepository(signal)
    const head = `${fullName.split('/')[0] ?? ''}:${branch}`
    const parameters = { state: 'all', head, sort: 'created', direction: 'desc', per_page: pullsMax } as const
    const call = { route: 'GET /repos/{owner}/{repo}/pulls', parameters, reply: pullSchema.array() } as const
    // GitHub ignores a filter that it cannot parse, which would return other people's pull requests.
    return (await this.#api.call(call, signal)).filter(({ head: tip }) => tip.ref === branch)
  }

  protected async readPull(number: number, signal: AbortSignal): Promise<PullRequest> {
    return toPullRequest(await readPull(this.#api, number, signal))
  }

  protected async createPull(
    { branch: head, base, title, body, isDraft }: NewPullRequest,
    signal: AbortSignal,
  ): Promise<PullRequest> {
    const route = 'POST /repos/{owner}/{repo}/pulls'
    const create = (draft: boolean) =>
      this.#api.call({ route, parameters: { head, base, title, body, draft }, reply: pullSchema }, signal)
    const pull = await create(isDraft).catch((error: unknown) => {
      // Only some of GitHub's plans have drafts in private repositories.
      if (isDraft && hasReason(error, 'invalid') && /draft/i.test(error.message)) return create(false)
      throw error
    })
    return toPullRequest(pull)
  }

  protected async changePull(number: number, change: PullRequestChange, signal: AbortSignal): Promise<PullRequest> {
    return toPullRequest(await changePull(this.#api, number, change, signal))
  }

  protected async closePull(number: number, signal: AbortSignal): Promise<PullRequest> {
    return toPullRequest(await patchPull(this.#api, number, { state: 'closed' }, signal))
  }

  protected override listIssues(signal: AbortSignal): Promise<readonly RestIssue[]> {
    const route = 'GET /repos/{owner}/{repo}/issues'
    const parameters = { state: 'all', sort: 'created', direction: 'desc', per_page: issuesMax } as const
    return this.#api.call({ route, parameters, reply: issueSchema.array() }, signal)
  }

  protected override createIssue(parameters: { title: string; body: string }, signal: AbortSignal) {
    return this.#api.call({ route: 'POST /repos/{owner}/{repo}/issues', parameters, reply: issueSchema }, signal)
  }

  protected addComment(number: number, body: string, signal: AbortSignal): Promise<{ id: number }> {
    const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'
    return this.#api.call({ route, parameters: { issue_number: number, body }, reply: commentSchema }, signal)
  }

  protected async changeComment({ id, body }: { id: string; body: string }, signal: AbortSignal): Promise<void> {
    const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}'
    await this.#api.call({ route, parameters: { comment_id: Number(id), body }, reply: commentSchema }, signal)
  }

  protected async *listComments(number: number, signal: AbortSignal): Comments {
    const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments'
    for (let page = 1; page <= commentPagesMax; page++) {
      const parameters = { issue_number: number, per_page: commentsPerPage, page }
      const comments = await this.#api.call({ route, parameters, reply: commentTextSchema.array() }, signal)
      yield comments
      if (comments.length < commentsPerPage) return
    }
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

  protected override async attachLabels(number: number, names: readonly string[], signal: AbortSignal): Promise<void> {
    const parameters = { issue_number: number, labels: names.map((name) => name.slice(0, labelCharsMax)) }
    const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels'
    await this.#api.call({ route, parameters, reply: anySchema }, signal)
  }

  protected async askReviewers(number: number, reviewers: readonly string[], signal: AbortSignal): Promise<void> {
    const parameters = { pull_number: number, reviewers }
    const route = 'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers'
    await this.#api.call({ route, parameters, reply: anySchema }, signal)
  }

  async readPermission(user: string, signal: AbortSignal): Promise<RepositoryPermission> {
    if (!/^[\w.-]{1,100}(?:\[bot\])?$/.test(user)) return 'none'
    const parameters = { username: user }
    const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission'
    const found = await this.#api.find({ route, parameters, reply: userPermissionSchema }, signal)
    return permissions[found?.permission ?? ''] ?? 'none'
  }

  checkAccess(signal: AbortSignal): Promise<AccessCheck[]> {
    return checkGithubAccess(this.#api, this.repository.path, signal)
  }

  #readRepository(signal: AbortSignal) {
    return this.#api.call({ route: 'GET /repos/{owner}/{repo}', reply: repositorySchema }, signal)
  }

  async #pushByGit(input: PushBranchInput & { defaultBranch: string }, signal: AbortSignal): Promise<PushOutcome> {
    return this.#runGit((transport, credential) => {
      if (credential === null) throw this.#missingCredential()
      return transport.pushBranch(input, credential, signal)
    }, signal)
  }

  #missingCredential(): ForgeError {
    const message = `Pushing to ${this.repository.path} needs a credential. Give the site a token with write access, or connect an App.`
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
    const transport = this.#transport ?? this.#deps.transport(this.repository)
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
      if (path.toLowerCase() === this.repository.path.toLowerCase()) throw error
      const moved = this.#deps.transport({ ...this.repository, path })
      const result = await run(moved)
      this.#transport = moved
      return result
    }
  }
}

const permissions: Readonly<Record<string, RepositoryPermission>> = { admin: 'admin', write: 'write', read: 'read' }

/** Whether git failed for a reason that may not affect the API. */
function isClosed(error: unknown): error is ForgeError {
  return error instanceof ForgeError && error.reason !== 'conflict' && error.reason !== 'rate-limited'
}
