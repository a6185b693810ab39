import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { authenticate, requireScope } from '../../access/keys/authenticate.ts'
import { requireRepository } from '../../codehost/builtin/builtin-host-deps.ts'
import { followPush, readBranchTips } from '../../codehost/builtin/follow-pushes.ts'
import { receivePush } from '../../codehost/builtin/receive-push.ts'
import { openRepository } from '../../codehost/builtin/with-repository.ts'
import { AppError } from '../../contract/app-error.ts'
import type {
  GitServiceName,
  GitServiceRequest,
  GitServiceRun,
  ReceivePackRequest,
} from '../../git/remotes/serve-git.ts'
import type { ApiKey } from '../../store/accounts/keys.ts'
import type { Repository } from '../../store/hosting/repositories.ts'
import type { AppContext, DocentServer } from '../app-env.ts'
import type { ServerDeps } from '../server-deps.ts'

/**
 * Timeout for following up a push. It starts after the client has read the reply, so it must not depend on the client.
 */
const followTimeoutMs = 60_000

/**
 * Serves the built-in host's repositories to git clients over the smart HTTP protocol only: the dumb protocol serves
 * files as they are on disk.
 */
export function addGitHttp(app: DocentServer, deps: ServerDeps): void {
  app.get('/git/:owner/:name/info/refs', async (c) => {
    const service = readService(c.req.query('service'))
    const repository = await authorizeRepository(c, deps, service)
    // Nobody reads the body of a HEAD reply: git would block on output until it times out.
    if (c.req.method === 'HEAD') return c.body(null, 200, answerHeaders(service, 'advertisement'))
    return serve(c, deps, { service, repository, isAdvertisement: true })
  })
  for (const service of ['git-upload-pack', 'git-receive-pack'] as const) {
    app.post(`/git/:owner/:name/${service}`, async (c) => {
      const repository = await authorizeRepository(c, deps, service)
      if (c.req.header('content-type') !== `application/x-${service}-request`) {
        throw new AppError('unsupported_media_type', 'This address is for git clients. Clone the repository with git.')
      }
      return serve(c, deps, { service, repository, isAdvertisement: false })
    })
  }
}

function readService(name: string | undefined): GitServiceName {
  if (name === 'git-upload-pack' || name === 'git-receive-pack') return name
  throw new AppError('invalid_request', 'Only the smart HTTP protocol of git is served. Use git 1.6.6 or newer.')
}

/** @throws {AppError} as `authenticate` does; `scope_missing`; `repository_not_found`. */
async function authorizeRepository(c: AppContext, deps: ServerDeps, service: GitServiceName): Promise<Repository> {
  const key = await authenticateGit(c, deps)
  requireScope(key, service === 'git-receive-pack' ? 'write' : 'read')
  deps.keys.touch(key).catch((error: unknown) => c.get('log').warn({ error }, 'key-touch-failed'))
  const name = (c.req.param('name') ?? '').replace(/\.git$/, '')
  return requireRepository(deps.host, key.organizationId, `${c.req.param('owner')}/${name}`)
}

async function authenticateGit(c: AppContext, deps: ServerDeps): Promise<ApiKey> {
  try {
    return await authenticate(deps, 'admin', {
      authorization: readAuthorization(c.req.header('authorization')),
      address: c.get('clientAddress'),
      origin: c.req.header('origin'),
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.headers['WWW-Authenticate'] === undefined) throw error
    // Git prompts for a password when offered Basic, and never sends a bearer key unprompted.
    const headers = { 'WWW-Authenticate': 'Basic realm="Docent", charset="UTF-8"' }
    throw new AppError(
      error.code,
      `${error.message} For git, the key is the password; the user name does not matter.`,
      {
        headers,
      },
    )
  }
}

/** Turns a Basic password into a bearer key; returns anything else unchanged. */
function readAuthorization(header: string | undefined): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return header
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  return `Bearer ${pair.slice(pair.indexOf(':') + 1)}`
}

interface GitExchange {
  service: GitServiceName
  repository: Repository
  isAdvertisement: boolean
}

async function serve(c: AppContext, deps: ServerDeps, exchange: GitExchange): Promise<Response> {
  const { service, isAdvertisement } = exchange
  const run = await (service === 'git-upload-pack' ? startFetch(c, deps, exchange) : startPush(c, deps, exchange))
  const headers = answerHeaders(service, isAdvertisement ? 'advertisement' : 'result')
  // As long as git has written nothing, faults of the body can still be reported by status.
  await Promise.race([once(run.output, 'readable'), run.ended])
  // Node's web stream type and the response's differ in name only.
  return c.body(Readable.toWeb(run.output) as ReadableStream<Uint8Array>, 200, headers)
}

function answerHeaders(service: GitServiceName, kind: 'advertisement' | 'result'): Record<string, string> {
  return {
    'Content-Type': `application/x-${service}-${kind}`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
}

async function startFetch(c: AppContext, deps: ServerDeps, exchange: GitExchange): Promise<GitServiceRun> {
  return deps.gitServing.startUploadPack(await readRequest(c, deps, exchange), c.req.raw.signal)
}

async function startPush(c: AppContext, deps: ServerDeps, exchange: GitExchange): Promise<GitServiceRun> {
  const { repository, isAdvertisement } = exchange
  const { host } = deps
  const protectedRefs = deps.allowsDefaultBranchPush ? [] : [`refs/heads/${repository.defaultBranch}`]
  const request = {
    ...(await readRequest(c, deps, exchange)),
    protectedRefs,
    writableRefs: ['refs/heads/', 'refs/tags/'],
  }
  if (isAdvertisement) return deps.gitServing.startReceivePack(request, c.req.raw.signal)
  const before = await readBranchTips(host, repository, c.req.raw.signal)
  const run = await receive(deps, { ...request, repository }, c.req.raw.signal)
  const follow = () => followPush(host, { repository, before }, AbortSignal.timeout(followTimeoutMs))
  // Also if the client has disconnected: git may have moved the branches before.
  run.ended.then(follow, follow).catch((error: unknown) => c.get('log').error({ error }, 'push-not-followed'))
  return run
}

function receive(
  { host, gitServing }: ServerDeps,
  { repository, ...request }: ReceivePackRequest & { repository: Repository },
  signal: AbortSignal,
): Promise<GitServiceRun> {
  const { sharedRepositories } = host
  const { input } = request
  if (sharedRepositories === undefined || input === null) return gitServing.startReceivePack(request, signal)
  const start = (place: { gitDirectory: string; input: Readable }, held: AbortSignal) =>
    gitServing.startReceivePack({ ...request, ...place }, held)
  return receivePush({ ...host, sharedRepositories }, { repository, input, start }, signal)
}

async function readRequest(c: AppContext, { host }: ServerDeps, exchange: GitExchange): Promise<GitServiceRequest> {
  const { body } = c.req.raw
  // As above: the types differ in name only.
  const input = exchange.isAdvertisement || body === null ? null : Readable.fromWeb(body as NodeStream)
  return {
    gitDirectory: await openRepository(host, exchange.repository, c.req.raw.signal),
    isAdvertisement: exchange.isAdvertisement,
    protocol: c.req.header('git-protocol') ?? null,
    input,
    isGzipped: /^(?:x-)?gzip$/i.test(c.req.header('content-encoding') ?? ''),
  }
}
