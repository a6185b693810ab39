import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { GitServing } from '../../src/git/remotes/serve-git.ts'
import type { ForgeGitRepository } from './forge-repository.ts'
import type { PublishedApi } from './published-api.ts'

/** A request to the interface of a forge. */
export interface ForgeApiRequest {
  method: string
  /** Below the beginning of the interface, decoded: `['projects', 'acme/docs']`. */
  segments: string[]
  query: URLSearchParams
  /** Null where none was sent. */
  body: Readonly<Record<string, unknown>> | null
}

export interface ForgeApiReply {
  status: number
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

/** What a forge does instead of answering. */
export type ForgeFault =
  | ForgeApiReply
  /** Closes the connection. */
  | 'drop'
  /** Carries the request out and closes the connection instead of answering. */
  | 'lose-answer'
  /** Does not answer. */
  | 'hang'

export interface ForgeServerOptions {
  published: PublishedApi
  repository: ForgeGitRepository
  /** Where the interface begins: `/api/v4`. */
  apiPath: string
  /** What strangers are answered below it. */
  openPaths?: readonly string[]
  /** Where the repository lies now: `/acme/docs`; git finds it at `.git`. */
  repositoryPath(): string
  /** The paths at which it lay before, which redirect. */
  formerPaths(): readonly string[]
  /** The one token that opens everything. */
  token(): string
  /** The token of a request to the interface, from the headers in which the forge takes one. */
  readToken(request: IncomingMessage): string | null
  unauthorized: ForgeApiReply
  protectedBranches: ReadonlySet<string>
  answer(request: ForgeApiRequest): Promise<ForgeApiReply>
}

export interface ForgeServer {
  /** `http://127.0.0.1:PORT` */
  url: string
  /** `GET /projects/42`, in order, below the beginning of the interface; `git …` for those of git. */
  readonly requests: string[]
  /** What was wrong with requests, by what the forge publishes. */
  readonly violations: string[]
  /** The next requests that match are met so, one after the other. */
  fail(matching: RegExp, ...faults: ForgeFault[]): void
  stop(): Promise<void>
}

/** The socket of a forge: tokens, published schemas and faults of the interface, and git over smart HTTP. */
export async function startForgeServer(options: ForgeServerOptions): Promise<ForgeServer> {
  const served = new ServedForge(options)
  const server = createServer((request, response) => {
    served.answer(request, response).catch((error: unknown) => {
      served.violations.push(`The server failed: ${String(error)}`)
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // It listens on a port.
  return {
    url: `http://127.0.0.1:${port}`,
    requests: served.requests,
    violations: served.violations,
    fail: (matching, ...faults) => void served.faults.push({ matching, faults }),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** One for all, because it keeps what git answers to every first request. */
const serving = new GitServing()

class ServedForge {
  readonly requests: string[] = []
  readonly violations: string[] = []
  readonly faults: { matching: RegExp; faults: ForgeFault[] }[] = []
  readonly #options: ForgeServerOptions

  constructor(options: ForgeServerOptions) {
    this.#options = options
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://forge')
    const { apiPath } = this.#options
    if (url.pathname.startsWith(`${apiPath}/`)) return this.#answerApi(request, response, url)
    return this.#answerGit(request, response, url)
  }

  async #answerApi(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const { apiPath, openPaths = [], published, readToken, token, unauthorized } = this.#options
    const method = request.method ?? 'GET'
    const sent = await text(request)
    const body = sent === '' ? null : (JSON.parse(sent) as Record<string, unknown>)
    const path = url.pathname.slice(apiPath.length)
    this.requests.push(`${method} ${path}`)
    const query = url.searchParams
    this.violations.push(...published.check({ method, path: url.pathname, query, body }))
    const fault = this.#takeFault(`${method} ${path}`)
    if (fault === 'hang') return
    if (fault === 'drop') return void response.destroy()
    if (fault !== null && fault !== 'lose-answer') return send(response, fault)
    const isOpen = openPaths.includes(path)
    if (!isOpen && readToken(request) !== token()) return send(response, unauthorized)
    const segments = path.slice(1).split('/').map(decodeURIComponent)
    const reply = await this.#options.answer({ method, segments, query, body })
    if (fault === 'lose-answer') response.destroy()
    else send(response, reply)
  }

  #takeFault(line: string): ForgeFault | null {
    const found = this.faults.find(({ matching, faults }) => faults.length > 0 && matching.test(line))
    return found?.faults.shift() ?? null
  }

  async #answerGit(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const { repositoryPath, formerPaths, token } = this.#options
    const [path = '', rest = ''] = url.pathname.split(/\.git(\/.*)/s)
    this.requests.push(`git ${request.method} ${path}${rest}`)
    const fault = this.#takeFault(`git ${request.method} ${path}${rest}${url.search}`)
    if (typeof fault === 'object' && fault !== null) return send(response, fault)
    if (formerPaths().includes(path)) {
      return send(response, { status: 301, headers: { location: `${repositoryPath()}.git${rest}${url.search}` } })
    }
    if (path !== repositoryPath()) return send(response, { status: 404 })
    const password = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString()
    if (password.slice(password.indexOf(':') + 1) !== token()) {
      return send(response, { status: 401, headers: { 'www-authenticate': 'Basic realm="git"' } })
    }
    await this.#serveGit(request, response, url)
  }

  async #serveGit(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const isAdvertisement = request.method === 'GET'
    const service = isAdvertisement ? url.searchParams.get('service') : url.pathname.split('/').at(-1)
    const gone = new AbortController()
    response.once('close', () => response.writableFinished || gone.abort(new Error('The client has gone.')))
    const parts = {
      gitDirectory: this.#options.repository.gitDirectory,
      isAdvertisement,
      protocol: String(request.headers['git-protocol'] ?? ''),
      input: isAdvertisement ? null : request,
      isGzipped: request.headers['content-encoding'] === 'gzip',
      protectedRefs: [...this.#options.protectedBranches].map((branch) => `refs/heads/${branch}`),
    }
    const run =
      service === 'git-receive-pack'
        ? await serving.startReceivePack(parts, gone.signal)
        : await serving.startUploadPack(parts, gone.signal)
    const kind = isAdvertisement ? 'advertisement' : 'result'
    response.writeHead(200, { 'content-type': `application/x-${service}-${kind}`, 'cache-control': 'no-cache' })
    run.output.pipe(response)
    await run.ended
  }
}

function send(response: ServerResponse, { status, body, headers = {} }: ForgeApiReply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}

/** A field of a body; empty where it is none of text. */
export function textOf(body: ForgeApiRequest['body'], name: string): string {
  const value = body?.[name]
  return typeof value === 'string' ? value : ''
}
