import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSameSecret } from '../base/same-secret.ts'

export interface MetricsServerInput {
  host: string
  /** 0 picks a free port. */
  port: number
  /** Bearer token that collectors must send; null if none is required. */
  token: string | null
  contentType: string
  /** Never rejects. */
  collect(): Promise<string>
}

export interface MetricsServer {
  /** Such as `http://127.0.0.1:9464/metrics`. */
  url: string
  close(): Promise<void>
}

/**
 * Serves only the metrics, on a separate port, so that the public port never exposes them.
 *
 * @throws {Error} with a readable sentence if the port cannot be used.
 */
export async function startMetricsServer(input: MetricsServerInput): Promise<MetricsServer> {
  const collect = shareWhileRunning(input.collect)
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    void answer(request, response, { ...input, collect })
  })
  await listen(server, input)
  const { address, port, family } = server.address() as AddressInfo // A server on a port has no other kind of address.
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Concurrent callers share the running call, so that many collectors cost no more than one. */
export function shareWhileRunning<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => (running ??= work().finally(() => (running = null)))
}

async function answer(request: IncomingMessage, response: ServerResponse, input: MetricsServerInput): Promise<void> {
  const refuse = (status: number, sentence: string, headers: Record<string, string> = {}) => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${sentence}\n`)
  }
  const path = (request.url ?? '').split('?', 1)[0]
  if (path !== '/metrics') return refuse(404, 'The metrics are at /metrics.')
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refuse(405, 'Ask for the metrics with GET.', { allow: 'GET, HEAD' })
  }
  if (!isAllowed(request, input.token)) {
    const sentence = 'Send the value of DOCENT_METRICS_TOKEN as "Authorization: Bearer …".'
    return refuse(401, sentence, { 'www-authenticate': 'Bearer' })
  }
  const text = await input.collect()
  response.writeHead(200, { 'content-type': input.contentType, 'cache-control': 'no-store' })
  response.end(request.method === 'HEAD' ? undefined : text)
}

function isAllowed({ headers }: IncomingMessage, token: string | null): boolean {
  if (token === null) return true
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  return isSameSecret(given, token)
}

function listen(server: Server, { host, port }: MetricsServerInput): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? `Port ${port} is in use` : error.message
      const sentence = `The metrics cannot be served on ${host}:${port}: ${reason}. Choose others with DOCENT_METRICS_HOST and DOCENT_METRICS_PORT.`
      reject(new Error(sentence, { cause: error }))
    })
    server.listen(port, host, () => resolve())
  })
}
