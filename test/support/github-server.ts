import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jwtVerify } from 'jose'
import { githubOperations, type GithubRoute } from '../../src/codehost/github/github-operations.ts'
import { GitServing, type ReceivePackRequest } from '../../src/git/remotes/serve-git.ts'
import { ForgeHooks } from './forge-hooks.ts'
import { GithubPulls, GithubRefusal } from './github-pulls.ts'
import { GithubRepository } from './github-repository.ts'
import { type GithubRequest, readGithubRequest } from './github-requests.ts'
import { githubAnswers, type GithubState } from './github-routes.ts'

/** An answer that a test gives in place of the fake's own; `hang` never answers. */
export type GithubScript =
  | { status: number; body?: unknown; headers?: Readonly<Record<string, string>> }
  | 'hang'
  | 'break'

export interface GithubServerOptions {
  /** What the App was granted; contents, issues and pull requests to write, unless given. */
  granted?: Readonly<Record<string, string>>
  /** Answers a request in place of the fake; null leaves it to it. */
  intercept?: (request: GithubRequest | { route: 'GIT' | 'POST /graphql' }) => GithubScript | null
  /** What git may not push to. */
  protectedRefs?: readonly string[]
  /** The name of the repository now; a former one is redirected to it. */
  path?: string
}

/**
 * A fake of a GitHub Enterprise Server with one private repository: its files, commits and merges are those of a real bare
 * repository, which is served to git too. Every request is held against GitHub's description of its interface.
 */
export interface GithubServer {
  origin: string
  /** `acme/docs`. */
  path: string
  state: GithubState
  app: { appId: string; privateKey: string }
  /** Requests to the interface, in order. */
  readonly routes: readonly string[]
  /** What GitHub would not have taken. */
  readonly violations: readonly string[]
  /** What each token that was made may do. */
  readonly tokens: ReadonlyMap<string, Readonly<Record<string, string>>>
  addToken(permissions: Readonly<Record<string, string>>): string
  /** All tokens end at once. */
  withdrawTokens(): void
  stop(): Promise<void>
}

export const everything = {
  checks: 'write',
  contents: 'write',
  issues: 'write',
  metadata: 'read',
  pull_requests: 'write',
} as const

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const appKey = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()

let template: Promise<string> | null = null

/** The repository is made once and copied for each server. */
function makeTemplate(): Promise<string> {
  template ??= mkdtemp(join(tmpdir(), 'docent-github-template-')).then((folder) => {
    GithubRepository.create(join(folder, 'docs.git'))
    return folder
  })
  return template
}

/** Call it when the tests of a file are over. */
export async function removeGithubTemplate(): Promise<void> {
  const made = template
  template = null
  if (made !== null) await rm(await made, { recursive: true, force: true })
}

export async function startGithubServer(options: GithubServerOptions = {}): Promise<GithubServer> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-github-'))
  cpSync(await makeTemplate(), folder, { recursive: true })
  const fake = new FakeGithub(join(folder, 'docs.git'), options)
  const server = createServer((request, response) => void fake.answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // It listens on a port.
  fake.open(`http://127.0.0.1:${port}`)
  return {
    origin: fake.origin,
    path: fake.path,
    state: fake.state,
    app: { appId: '4711', privateKey: appKey },
    routes: fake.routes,
    violations: fake.violations,
    tokens: fake.tokens,
    addToken: (permissions) => fake.makeToken(permissions).token,
    withdrawTokens: () => fake.tokens.clear(),
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** One for all, because it keeps what git answers to every first request. */
const serving = new GitServing()

class FakeGithub {
  readonly path: string
  readonly routes: string[] = []
  readonly violations: string[] = []
  readonly tokens = new Map<string, Readonly<Record<string, string>>>()
  readonly #repository: GithubRepository
  readonly #options: GithubServerOptions
  #state: GithubState | null = null
  #origin = ''

  constructor(gitDirectory: string, options: GithubServerOptions) {
    this.#repository = new GithubRepository(gitDirectory)
    this.#options = options
    this.path = options.path ?? 'acme/docs'
  }

  get origin(): string {
    return this.#origin
  }

  get state(): GithubState {
    if (this.#state === null) throw new Error('The server does not listen yet.')
    return this.#state
  }

  open(origin: string): void {
    this.#origin = origin
    this.#state = {
      path: this.path,
      repository: this.#repository,
      pulls: new GithubPulls(this.#repository, { origin, path: this.path }),
      hooks: new ForgeHooks(),
      issues: [],
      checks: {},
      users: { octo: 'admin', writer: 'write', dora: 'write', rita: 'read' },
      granted: this.#options.granted ?? everything,
      makeToken: (permissions) => this.makeToken(permissions),
    }
  }

  makeToken(permissions: Readonly<Record<string, string>>): { token: string; expires_at: string } {
    const token = `ghs_${randomUUID()}`
    this.tokens.set(token, permissions)
    return { token, expires_at: new Date(Date.now() + 3_600_000).toISOString() }
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', this.#origin)
      if (url.pathname.startsWith('/api/')) await this.#answerInterface(url, request, response)
      else await this.#answerGit(url, request, response)
    } catch (error) {
      const status = error instanceof GithubRefusal ? error.status : 500
      if (!(error instanceof GithubRefusal)) this.violations.push(String(error))
      send(response, { status, body: { message: error instanceof Error ? error.message : 'unknown' } })
    }
  }

  async #answerInterface(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readText(request)
    const method = request.method ?? ''
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? null
    if (url.pathname === '/api/graphql') return this.#answerGraphql(JSON.parse(body) as GraphqlBody, token, response)
    if (!url.pathname.startsWith('/api/v3/')) throw new GithubRefusal(404, 'Not Found')
    if (url.pathname === '/api/v3/meta') return send(response, { status: 200, body: { installed_version: '3.17.0' } })
    const path = url.pathname.replace('/api/v3', '')
    const read = readGithubRequest({ method, path: this.#rewrite(path), query: url.searchParams, body })
    if (read === null) throw new Error(`GitHub describes no operation ${method} ${path}.`)
    this.routes.push(read.route)
    this.violations.push(...read.faults)
    const script = this.#options.intercept?.(read) ?? null
    if (script !== null) return play(script, response)
    if (read.faults.length > 0) throw new GithubRefusal(422, read.faults.join(' '))
    const { owner, repo } = read.parameters
    const isFormer = path.startsWith('/repos/') && `${owner}/${repo}` !== this.path
    if (isFormer) {
      const location = `${this.#origin}/api/v3/repositories/1${path
        .split('/')
        .slice(4)
        .map((part) => `/${part}`)
        .join('')}${url.search}`
      return send(response, { status: 301, headers: { location }, body: { message: 'Moved Permanently' } })
    }
    await this.#authorize(read.route, token)
    const answer = githubAnswers[read.route](this.state, read)
    send(response, { status: answer.status ?? 200, body: answer.body })
  }

  /** Addresses with the number of a repository are those of its name. */
  #rewrite(path: string): string {
    return path.replace(/^\/repositories\/1(?=\/|$)/, `/repos/${this.path}`)
  }

  #answerGraphql({ query, variables }: GraphqlBody, token: string | null, response: ServerResponse): void {
    this.routes.push('POST /graphql')
    const script = this.#options.intercept?.({ route: 'POST /graphql' }) ?? null
    if (script !== null) return play(script, response)
    this.#requirePermission(token, 'pull_requests=write')
    const found = /(markPullRequestReadyForReview|convertPullRequestToDraft)\(input: \{ pullRequestId: \$id \}\)/.exec(
      query,
    )
    if (found === null) throw new Error('GitHub knows no such mutation.')
    this.state.pulls.setDraft(variables.id, found[1] === 'convertPullRequestToDraft')
    send(response, { status: 200, body: { data: {} } })
  }

  async #authorize(route: GithubRoute, token: string | null): Promise<void> {
    const permission = githubOperations[route]
    if (permission !== null) return this.#requirePermission(token, permission)
    if (route === 'POST /app-manifests/{code}/conversions') return
    await jwtVerify(token ?? '', publicKey, { issuer: '4711', algorithms: ['RS256'] }).catch(() => {
      throw new GithubRefusal(401, 'A JSON web token could not be decoded')
    })
  }

  #requirePermission(token: string | null, permission: string): void {
    if (token === null) throw new GithubRefusal(404, 'Not Found')
    const granted = this.tokens.get(token)
    if (granted === undefined) throw new GithubRefusal(401, 'Bad credentials')
    const [name = '', level] = permission.split('=')
    const has = name === 'metadata' ? 'read' : granted[name]
    if (has !== 'write' && has !== level) throw new GithubRefusal(403, 'Resource not accessible by integration')
  }

  async #answerGit(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const script = this.#options.intercept?.({ route: 'GIT' }) ?? null
    if (script !== null) return play(script, response)
    if (!url.pathname.startsWith(`/${this.path}.git/`)) throw new GithubRefusal(404, 'Not Found')
    const basic = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString('utf8')
    const granted = this.tokens.get(basic.slice(basic.indexOf(':') + 1))
    if (granted === undefined) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="GitHub"' }).end()
      return
    }
    const isAdvertisement = request.method === 'GET'
    const service = isAdvertisement ? url.searchParams.get('service') : url.pathname.split('/').at(-1)
    if (service === 'git-receive-pack' && granted['contents'] !== 'write') throw new GithubRefusal(403, 'Write access')
    const parts: ReceivePackRequest = {
      gitDirectory: this.#repository.gitDirectory,
      isAdvertisement,
      protocol: String(request.headers['git-protocol'] ?? ''),
      input: isAdvertisement ? null : request,
      isGzipped: request.headers['content-encoding'] === 'gzip',
      protectedRefs: this.#options.protectedRefs ?? [],
    }
    const { signal } = new AbortController()
    const run =
      service === 'git-receive-pack'
        ? await serving.startReceivePack(parts, signal)
        : await serving.startUploadPack(parts, signal)
    const kind = isAdvertisement ? 'advertisement' : 'result'
    response.writeHead(200, { 'content-type': `application/x-${service}-${kind}`, 'cache-control': 'no-cache' })
    run.output.pipe(response)
    await run.ended
  }
}

interface GraphqlBody {
  query: string
  variables: { id: string }
}

function play(script: GithubScript, response: ServerResponse): void {
  if (script === 'hang') return
  if (script === 'break') response.destroy()
  else send(response, script)
}

function send(response: ServerResponse, { status, body, headers = {} }: Exclude<GithubScript, string>): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(body === undefined ? '' : JSON.stringify(body))
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
