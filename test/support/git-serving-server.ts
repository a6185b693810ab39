import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GitServing, type GitServingDeps, type ReceivePackRequest } from '../../src/git/remotes/serve-git.ts'

export interface GitServingServer {
  url: string
  port: number
  /** Outcomes of the requests that are over, in order: the exit code of git, or the code of a refusal. */
  readonly outcomes: readonly (number | string)[]
  /** For how many requests git has been started. */
  countStarts(): number
  stop(): Promise<void>
}

export interface GitServingServerOptions {
  /** Absolute path of the one repository, which is served at every path. */
  gitDirectory: string
  policy?: Partial<Pick<ReceivePackRequest, 'protectedRefs' | 'writableRefs' | 'inputBytesMax'>>
  deps?: GitServingDeps
}

/** One repository over smart HTTP by `GitServing`, with no more around it than a client needs. */
export async function startGitServingServer(options: GitServingServerOptions): Promise<GitServingServer> {
  const serving = new GitServing(options.deps)
  const outcomes: (number | string)[] = []
  let starts = 0
  const server = createServer((request, response) => {
    answer({ serving, options, onStart: () => starts++ }, request, response).then(
      (exitCode) => outcomes.push(exitCode),
      (error: unknown) => {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
        outcomes.push(code)
        if (!response.headersSent) response.writeHead(code === 'limit_reached' ? 429 : 413)
        response.end()
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // It listens on a port.
  return {
    url: `http://127.0.0.1:${port}/site.git`,
    port,
    outcomes,
    countStarts: () => starts,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

interface Answering {
  serving: GitServing
  options: GitServingServerOptions
  onStart: () => void
}

async function answer(
  { serving, options: { gitDirectory, policy = {} }, onStart }: Answering,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<number> {
  const url = new URL(request.url ?? '/', 'http://host')
  const isAdvertisement = request.method === 'GET'
  const service = isAdvertisement ? url.searchParams.get('service') : url.pathname.split('/').at(-1)
  const gone = new AbortController()
  response.once('close', () => response.writableFinished || gone.abort(new Error('The client has gone.')))
  const parts: ReceivePackRequest = {
    gitDirectory,
    isAdvertisement,
    protocol: String(request.headers['git-protocol'] ?? ''),
    input: isAdvertisement ? null : request,
    isGzipped: request.headers['content-encoding'] === 'gzip',
    protectedRefs: [],
    ...policy,
  }
  const run =
    service === 'git-receive-pack'
      ? await serving.startReceivePack(parts, gone.signal)
      : await serving.startUploadPack(parts, gone.signal)
  onStart()
  const kind = isAdvertisement ? 'advertisement' : 'result'
  response.writeHead(200, { 'content-type': `application/x-${service}-${kind}`, 'cache-control': 'no-cache' })
  run.output.pipe(response)
  return (await run.ended).exitCode
}
