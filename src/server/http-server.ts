import { createServer, type Server, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { DocentServer } from './app-env.ts'
import { systemClock } from '../base/clock.ts'
import { createIdSource } from '../base/ids.ts'
import { AppError } from '../contract/app-error.ts'
import { toErrorReply } from './replies/error-response.ts'

/** Queue of pending connections while the process is busy; beyond it, clients are reset. The OS may allow less. */
const backlog = 4_096

/** Time for streams to send their last bytes after they were told to end. */
const lastBytesMs = 2_000

/** Time limits for clients, so that slow senders and readers cannot occupy connections indefinitely. */
export interface ConnectionLimits {
  /** Concurrent connections; further ones are closed immediately. */
  connectionsMax: number
  /** From the first byte of a request to the end of its headers. */
  headMs: number
  /** From the first byte of a request to its last. */
  requestMs: number
  /** Idle time in both directions during a request or reply. Must exceed the heartbeat interval of streams. */
  silenceMs: number
  /** How often `headMs` and `requestMs` are enforced. */
  checkMs: number
}

export const connectionLimitsDefault: ConnectionLimits = {
  connectionsMax: 10_000,
  headMs: 20_000,
  requestMs: 60_000,
  silenceMs: 120_000,
  checkMs: 5_000,
}

/** A bound port. */
export interface HttpServer {
  /** Its address, such as `http://127.0.0.1:4000`. */
  url: string
  /** Replaces the application that handles further requests. */
  handle(app: DocentServer): void
  /**
   * Accepts no new connections and resolves when the last request has ended.
   *
   * @param options.graceMs How long running answers may continue.
   * @param options.endStreams Called after `graceMs`; whatever is still open is cut shortly afterwards.
   */
  close(options: { graceMs: number; endStreams(): void }): Promise<void>
}

/**
 * Binds the address.
 *
 * @throws {Error} with a readable sentence if the address is in use or not ours.
 */
export async function listenOn(
  host: string,
  port: number,
  limits: Partial<ConnectionLimits> = {},
): Promise<HttpServer> {
  const { connectionsMax, headMs, requestMs, silenceMs, checkMs } = { ...connectionLimitsDefault, ...limits }
  const server = createServer({
    requestTimeout: requestMs,
    headersTimeout: headMs,
    // Longer than the idle timeout of common load balancers, which would otherwise reuse a connection that is being
    // closed.
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: checkMs,
  })
  server.maxConnections = connectionsMax
  // A reply that nobody reads would stay in memory forever.
  server.setTimeout(silenceMs)
  const url = await listen(server, host, port)
  return {
    url,
    handle(app) {
      server.removeAllListeners('request')
      const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler: refuseUnreadable })
      // The listener handles all errors itself, so its promise never rejects.
      server.on('request', (request, response) => {
        makeReadable(request)
        void listener(request, response)
      })
    },
    close: (options) => close(server, options),
  }
}

function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenFailure(error, host, port)))
    server.listen({ port, host, backlog }, () => {
      const address = server.address() as AddressInfo // A server on a port has no other kind of address.
      const name = address.address === '0.0.0.0' || address.address === '::' ? '127.0.0.1' : host
      resolve(`http://${name.includes(':') ? `[${name}]` : name}:${address.port}`)
    })
  })
}

function explainListenFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(`Port ${port} is in use. Stop what uses it, or choose another with PORT=4001.`, { cause: error })
  }
  return new Error(`Cannot listen on ${host}:${port}: ${error.message}. Choose another with HOST and PORT.`, {
    cause: error,
  })
}

async function close(server: Server, { graceMs, endStreams }: { graceMs: number; endStreams(): void }): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timers = [
    setTimeout(endStreams, graceMs),
    setTimeout(() => server.closeAllConnections(), graceMs + lastBytesMs),
    // Connections that were busy when closing began become idle as their replies end.
    setInterval(() => server.closeIdleConnections(), 100),
  ]
  await closed
  for (const timer of timers) clearTimeout(timer)
}

const ids = createIdSource(systemClock)

/** Replaces an unreadable host. `.invalid` is reserved, so it belongs to nobody. */
const unknownHost = 'unknown.invalid'

/** A host with port by RFC 3986. Wider than what URLs accept, which excludes malformed numeric and empty hosts. */
const hostSyntax = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i

/**
 * Gives a request a parseable URL: the path of an absolute-form target, and a placeholder host if there is none (as in
 * HTTP/1.0) or if no URL can contain it. No route depends on the host. A malformed host stays and is refused with 400.
 *
 * @see RFC 9112, sections 3.2 and 3.2.2.
 */
function makeReadable(request: IncomingMessage): void {
  const absolute = /^https?:\/\//i.test(request.url ?? '') ? URL.parse(request.url ?? '') : null
  if (absolute !== null) request.url = `${absolute.pathname}${absolute.search}`
  const host = request.headers.host ?? ''
  // The host of an absolute-form target overrides the header.
  const isReplaced = absolute !== null || hostSyntax.test(host)
  if (isReplaced && !isReadableHost(host)) request.headers.host = unknownHost
}

function isReadableHost(host: string): boolean {
  const url = URL.parse(`http://${host}`)
  return url !== null && url.hostname === host.replace(/:\d+$/, '').toLowerCase()
}

/** Reply to a request whose host or path do not form a URL, so that no route can match. */
function refuseUnreadable(): Response {
  const requestId = ids.prefixed('req')
  const message = 'The host and path of the request do not form a valid URL. Check both.'
  const { body, status } = toErrorReply(new AppError('invalid_request', message), requestId)
  return Response.json(body, { status, headers: { 'X-Request-Id': requestId } })
}
