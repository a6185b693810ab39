import type { GitCredential } from '../../git/remotes/resolve-remote.ts'
import type { BaseRepository, BranchTip, PushBranchInput, PushOutcome } from '../code-host.ts'
import { ForgeError, hasReason } from './forge-error.ts'
import { readGitCredential } from '../forge-git-credential.ts'
import type { ForgeHostDeps, ForgeRepository } from './forge-host.ts'
import type { ForgeTransport } from './forge-transport.ts'

export interface ForgeGitRules {
  /**
   * Reads the repository's current path from the forge's API.
   *
   * @throws {ForgeError} if the credential does not open it.
   */
  readPath(signal: AbortSignal): Promise<string>
  /** Message for a credential that opens the repository, but not through git. */
  closedMessage: string
}

/** The API opens the repository but git does not, so the API may be able to do the work instead. */
export class ForgeGitClosedError extends ForgeError {}

/**
 * Git traffic with a forge's repository, using its token. Git gives no reasons that the owner could act on, so after a
 * failure the API is asked for one.
 *
 * @throws {ForgeError} if the forge rejects the credential or cannot be reached.
 */
export class ForgeGit {
  readonly #deps: ForgeHostDeps
  readonly #repository: ForgeRepository
  readonly #rules: ForgeGitRules
  /** Fixed while the host is open, because its mirror contains commits that exist nowhere else. */
  #known: { transport: ForgeTransport; place: ForgeRepository } | null = null
  #gitDirectory: string | null = null

  constructor(deps: ForgeHostDeps, repository: ForgeRepository, rules: ForgeGitRules) {
    this.#deps = deps
    this.#repository = repository
    this.#rules = rules
  }

  resolveBranch(name: string | null, signal: AbortSignal): Promise<BranchTip> {
    const work: GitWork<BranchTip> = (transport, credential) => transport.resolveBranch(name, credential, signal)
    return this.#run(work, signal, 'none')
  }

  async openBase(commit: string, signal: AbortSignal): Promise<BaseRepository> {
    const base = await this.#run((transport, credential) => transport.openBase(commit, credential, signal), signal)
    this.#gitDirectory = base.gitDirectory
    return base
  }

  pushBranch(input: PushBranchInput & { defaultBranch: string }, signal: AbortSignal): Promise<PushOutcome> {
    return this.#run(
      (transport, credential) => {
        if (credential !== null) return transport.pushBranch(input, credential, signal)
        throw new ForgeError('unauthorized', 'Pushing needs a credential. Give the site a token with write access.')
      },
      signal,
      'read',
    )
  }

  /** The mirror, which contains the commits to push. @param known A commit that the forge has. */
  async openDirectory(known: string, signal: AbortSignal): Promise<string> {
    if (this.#gitDirectory !== null) return this.#gitDirectory
    const base = await this.openBase(known, signal)
    await base.close()
    return base.gitDirectory
  }

  /**
   * Git finds a repository only by its current name, so if it finds nothing, the API is asked for that name.
   *
   * @param mirror How the work uses the mirror: a `read` mirror can be pushed to the repository's new place; a `filled`
   *   one belongs to the place that it was fetched from.
   */
  async #run<Result>(
    work: GitWork<Result>,
    signal: AbortSignal,
    mirror: 'none' | 'read' | 'filled' = 'filled',
  ): Promise<Result> {
    const known = this.#known
    const run = async (transport: ForgeTransport, place: ForgeRepository) => {
      const result = await this.#runWithToken(work, transport, signal)
      if (mirror !== 'none') this.#known ??= { transport, place }
      return result
    }
    const place = known?.place ?? this.#repository
    try {
      return await run(known?.transport ?? this.#deps.transport(place), place)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const path = await this.#rules.readPath(signal)
      const isRenamed = path.toLowerCase() !== place.path.toLowerCase()
      if (!isRenamed || (mirror === 'filled' && known !== null)) throw this.#explain(error)
      const moved = { ...place, path }
      return run(this.#deps.transport(moved, known?.place), moved)
    }
  }

  /** If the token is rejected, retries once with a new one, which may have been stored since. */
  async #runWithToken<Result>(work: GitWork<Result>, transport: ForgeTransport, signal: AbortSignal): Promise<Result> {
    const first = await readGitCredential(this.#deps, this.#repository, signal)
    try {
      return await work(transport, first)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const now = await readGitCredential(this.#deps, this.#repository, signal)
      if (now?.token === first?.token) throw error
      return work(transport, now)
    }
  }

  #explain(error: ForgeError): ForgeError {
    const isCredential = error.reason === 'unauthorized'
    const message = isCredential ? this.#rules.closedMessage : error.message
    return new ForgeGitClosedError(isCredential ? 'forbidden' : error.reason, message, { cause: error })
  }
}

type GitWork<Result> = (transport: ForgeTransport, credential: GitCredential | null) => Promise<Result>

/** Git failures that the API may be able to explain. */
function isRefusal(error: unknown): error is ForgeError {
  return hasReason(error, 'unauthorized', 'not-found', 'invalid')
}
