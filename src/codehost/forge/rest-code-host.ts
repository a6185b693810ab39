import type { z } from 'zod'
import { refusal } from '../../contract/app-error.ts'
import type { Log } from '../../telemetry/log.ts'
import type {
  AccessCheck,
  BaseRepository,
  BranchTip,
  HostedSource,
  PullRequestCheck,
  PushBranchInput,
  PushOutcome,
} from '../code-host.ts'
import type { AccessDeps } from './forge-access.ts'
import { ForgeCodeHost } from './forge-code-host.ts'
import { hasReason } from './forge-error.ts'
import { type ForgeCall, ForgeClient, type ForgeClientRules, type ForgeList } from './forge-client.ts'
import { ForgeGit, ForgeGitClosedError } from './forge-git.ts'
import type { ForgeHostDeps, ForgeRepository } from './forge-host.ts'
import { type ForgeCommitter, pushFiles } from './push-files.ts'

/** A repository's current state on the forge. */
export interface RestRepository {
  /** For display: `acme/docs`. */
  path: string
  /** Base path of its API resources, such as `/projects/42`. */
  root: string
  /** Null if the repository is empty. */
  defaultBranch: string | null
}

export interface RestWebhooks {
  /** Schema of an existing webhook. */
  item: z.ZodType<{ id: number; url: string | null }>
  path: string
  changeMethod: 'PUT' | 'PATCH'
  /** Body of the request that creates or updates one. */
  describe(hook: { url: string; secret: string }, isNew: boolean): object
}

export interface RestRules {
  client: ForgeClientRules
  /** Title prefix of drafts; null if drafts have their own field. */
  draftMark: string | null
  webhooks: RestWebhooks
  /** Commits through the API when git may only read; null if the forge cannot. */
  createCommitter: ((client: ForgeClient, root: string) => ForgeCommitter) | null
  /** See `CodeHost.checkAccess`. */
  checkAccess(deps: AccessDeps, signal: AbortSignal): Promise<AccessCheck[]>
}

/** A repository on a forge with a REST API, addressed by its current path. */
export abstract class RestCodeHost extends ForgeCodeHost {
  protected readonly client: ForgeClient
  readonly #git: ForgeGit
  readonly #rules: RestRules
  readonly #log: Log
  /** Cached, so that a renamed repository is still found while the host is open. */
  #root: string | null = null

  constructor(deps: ForgeHostDeps, repository: ForgeRepository, rules: RestRules) {
    super(repository, rules.draftMark)
    this.#rules = rules
    this.#log = deps.log
    this.client = new ForgeClient(deps, repository, rules.client)
    this.#git = new ForgeGit(deps, repository, {
      readPath: async (signal) => (await this.readRepository(signal)).path,
      closedMessage: `The token can access ${repository.path}, but not through git. ${rules.client.remedies.git}`,
    })
  }

  /** Uses the site's configured path; the forge redirects renamed repositories. */
  protected abstract fetchRepository(signal: AbortSignal): Promise<RestRepository>
  /** The body that sets a commit's status. @param id Of the pull request. */
  protected abstract describeStatus(check: PullRequestCheck, id: string): object

  /** Where the status of a commit is set, below the repository. */
  protected statusPath(commit: string): string {
    return `/statuses/${commit}`
  }

  protected async readRepository(signal: AbortSignal): Promise<RestRepository> {
    const found = await this.fetchRepository(signal)
    this.#root = found.root
    return found
  }

  /** @param call.path Relative to the repository. */
  protected async call<Reply>(call: ForgeCall<Reply>, signal: AbortSignal): Promise<Reply> {
    return this.client.call({ ...call, path: `${await this.#findRoot(signal)}${call.path}` }, signal)
  }

  /** Like `call`, but null for `not-found`. */
  protected async find<Reply>(call: ForgeCall<Reply>, signal: AbortSignal): Promise<Reply | null> {
    return this.client.find({ ...call, path: `${await this.#findRoot(signal)}${call.path}` }, signal)
  }

  /** The pages of a list of the repository. */
  protected async *pages<Item>(list: ForgeList<Item>, signal: AbortSignal): AsyncGenerator<readonly Item[]> {
    yield* this.client.pages({ ...list, path: `${await this.#findRoot(signal)}${list.path}` }, signal)
  }

  async #findRoot(signal: AbortSignal): Promise<string> {
    return this.#root ?? (await this.readRepository(signal)).root
  }

  async readSource(signal: AbortSignal): Promise<HostedSource> {
    const { path, defaultBranch } = await this.readRepository(signal)
    if (defaultBranch === null) throw refusal(`The repository ${path} has no commits yet. Push one first.`)
    return { repository: path, defaultBranch }
  }

  resolveBranch(name: string | null, signal: AbortSignal): Promise<BranchTip> {
    return this.#git.resolveBranch(name, signal)
  }

  openBase(commit: string, signal: AbortSignal): Promise<BaseRepository> {
    return this.#git.openBase(commit, signal)
  }

  /** Through git, or through the API if git may not write. */
  async pushBranch(input: PushBranchInput, signal: AbortSignal): Promise<PushOutcome> {
    const { defaultBranch } = await this.readSource(signal)
    try {
      return await this.#git.pushBranch({ ...input, defaultBranch }, signal)
    } catch (error) {
      const { createCommitter } = this.#rules
      if (!(error instanceof ForgeGitClosedError) || createCommitter === null) throw error
      this.#log.info({ repository: this.repository.path, reason: error.reason }, 'push-continued-by-api')
      return this.#pushFiles(createCommitter(this.client, await this.#findRoot(signal)), input, signal)
    }
  }

  async #pushFiles(committer: ForgeCommitter, input: PushBranchInput, signal: AbortSignal): Promise<PushOutcome> {
    const known = input.expected ?? (await this.resolveBranch(null, signal)).commit
    const gitDirectory = await this.#git.openDirectory(known, signal)
    return pushFiles(committer, { ...input, gitDirectory }, signal)
  }

  async ensureWebhook(hook: { url: string; secret: string }, signal: AbortSignal) {
    const { path, item, describe, changeMethod } = this.#rules.webhooks
    for await (const hooks of this.pages({ path, item }, signal)) {
      const known = hooks.find(({ url }) => url === hook.url)
      if (known === undefined) continue
      const change = { method: changeMethod, path: `${path}/${known.id}`, body: describe(hook, false), reply: null }
      await this.call(change, signal)
      return 'updated'
    }
    await this.call({ method: 'POST', path, body: describe(hook, true), reply: null }, signal)
    return 'added'
  }

  async reportCheck(
    { id, commit, check }: { id: string; commit: string; check: PullRequestCheck },
    signal: AbortSignal,
  ): Promise<void> {
    const body = this.describeStatus(check, id)
    const call = { method: 'POST', path: this.statusPath(commit), body, reply: null } as const
    await this.call(call, signal).catch((error: unknown) => {
      if (!hasReason(error, 'forbidden', 'not-found')) throw error
    })
  }

  checkAccess(signal: AbortSignal): Promise<AccessCheck[]> {
    const { client, repository } = this
    return this.#rules.checkAccess({ client, git: this.#git, repository }, signal)
  }
}
