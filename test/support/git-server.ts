import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Repositories of a folder over smart HTTP, by git's own server program, on a free port of this machine. */
export interface GitServer {
  url: string
  port: number
  /** Every request line and its Authorization header, in order. */
  readonly requests: readonly { line: string; authorization: string | null }[]
  stop(): Promise<void>
}

export interface GitServerOptions {
  /** The folder above the repositories; `URL/name` reads `FOLDER/name`. */
  folder: string
  host?: string
  /** `user:password` that every request must carry. */
  credential?: () => string | null
  /** Answers a request itself instead. @returns Whether it did. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean
}

export async function startGitServer(options: GitServerOptions): Promise<GitServer> {
  const requests: { line: string; authorization: string | null }[] = []
  const server = createServer((request, response) => {
    const authorization = request.headers.authorization ?? null
    requests.push({ line: `${request.method} ${request.url}`, authorization })
    if (options.intercept?.(request, response)) return
    const wanted = options.credential?.() ?? null
    if (wanted !== null && authorization !== `Basic ${Buffer.from(wanted).toString('base64')}`) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end(`You sent ${authorization}.`)
      return
    }
    serve(options.folder, request, response)
  })
  const host = options.host ?? '127.0.0.1'
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo // It listens on a port.
  return {
    url: `http://${host}:${port}`,
    port,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** The Common Gateway Interface of `git http-backend`: a head of lines, an empty line, the body. */
function serve(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://host')
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  })
  request.pipe(child.stdin)
  child.stdin.on('error', () => {})
  let head: Buffer | null = Buffer.alloc(0)
  child.stdout.on('data', (chunk: Buffer) => {
    if (head === null) return void response.write(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    writeHead(response, head.toString('latin1', 0, end))
    response.write(head.subarray(end + 4))
    head = null
  })
  child.on('close', () => response.end())
  response.on('close', () => child.kill())
}

function writeHead(response: ServerResponse, head: string): void {
  for (const line of head.split('\r\n')) {
    const [name = '', value = ''] = line.split(/: (.*)/s)
    if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
    else response.setHeader(name, value)
  }
}
