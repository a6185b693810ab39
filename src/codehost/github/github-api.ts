import { forges } from '../../contract/code-hosts.ts'
import type { GitCredential } from '../../git/remotes/resolve-remote.ts'
import { ForgeError, hasReason } from '../forge/forge-error.ts'
import type { ForgeCredential, ForgeHostDeps, ForgeRepository } from '../forge/forge-host.ts'
import { forgetInstallationToken, readInstallationToken } from './github-credential.ts'
import { type GithubAuthorization, type GithubCall, sendGithubRequest } from './github-request.ts'
import { graphqlReplySchema } from './github-replies.ts'

/** Calls GitHub's API for one repository with the current credential. */
export class GithubApi {
  readonly #deps: ForgeHostDeps
  readonly #repository: ForgeRepository
  #isMoveTold = false

  constructor(deps: ForgeHostDeps, repository: ForgeRepository) {
    this.#deps = deps
    this.#repository = repository
  }

  /**
   * If GitHub rejects the token, it is reissued or reread and the call repeated once with the new one: it may have
   * expired or been replaced while a job ran.
   *
   * @throws {ForgeError}
   */
  async call<Reply>(call: GithubCall<Reply>, signal: AbortSignal): Promise<Reply> {
    return this.#withToken((authorization) => this.#send(call, authorization, signal), signal)
  }

  /** Like `call`, but null for `not-found`. */
  async find<Reply>(call: GithubCall<Reply>, signal: AbortSignal): Promise<Reply | null> {
    return this.call(call, signal).catch((error: unknown) => {
      if (hasReason(error, 'not-found')) return null
      throw error
    })
  }

  /** @param mutation Takes the variable `id`. @throws {ForgeError} `invalid` with GitHub's message. */
  async mutate({ mutation, id }: { mutation: string; id: string }, signal: AbortSignal): Promise<void> {
    const parameters = { query: mutation, variables: { id } }
    const { errors } = await this.call({ route: 'POST /graphql', parameters, reply: graphqlReplySchema }, signal)
    const first = errors?.[0]
    if (first === undefined) return
    const isForbidden = first.type === 'FORBIDDEN' || /not accessible/i.test(first.message)
    throw new ForgeError(
      isForbidden ? 'forbidden' : 'invalid',
      `GitHub refused this for ${this.#repository.path}: "${first.message.slice(0, 300)}".`,
    )
  }

  /** Runs git with the current token, and once more with a new one if GitHub rejects it. */
  async runGit<Result>(
    work: (credential: GitCredential | null) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    return this.#withToken(({ token, username }) => work(token === null ? null : { username, token }), signal)
  }

  async #withToken<Result>(
    work: (authorization: GithubAuthorization & { username: string }) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const credential = await this.#deps.readCredential(signal)
    const authorization = await this.#authorize(credential, signal)
    try {
      return await work(authorization)
    } catch (error) {
      if (!hasReason(error, 'unauthorized')) throw error
      if (credential?.kind === 'github-app' && authorization.token !== null) {
        forgetInstallationToken(this.#deps, this.#repository, credential, authorization.token)
      }
      const now = await this.#authorize(await this.#deps.readCredential(signal), signal)
      if (now.token === authorization.token) throw error
      return work(now)
    }
  }

  async #authorize(
    credential: ForgeCredential | null,
    signal: AbortSignal,
  ): Promise<GithubAuthorization & { username: string }> {
    const username = forges.github.tokenUser
    if (credential === null) return { caller: 'nobody', token: null, username }
    if (credential.kind === 'token') return { caller: 'token', token: credential.token, username }
    const token = await readInstallationToken(this.#deps, this.#repository, credential, 'write', signal)
    return { caller: 'installation', token, username }
  }

  #send<Reply>(call: GithubCall<Reply>, authorization: GithubAuthorization, signal: AbortSignal): Promise<Reply> {
    const { origin, path } = this.#repository
    const onMoved = () => {
      if (this.#isMoveTold) return
      this.#isMoveTold = true
      this.#deps.log.warn({ repository: path }, 'repository-renamed')
    }
    return sendGithubRequest(this.#deps, { origin, path, onMoved }, call, authorization, signal)
  }
}
