import { routePath } from 'hono/route'
import type { MiddlewareHandler } from 'hono/types'
import { resolveClientAddress } from '../../access/client-address.ts'
import { cutText } from '../../contract/cut-text.ts'
import { isOpenAiPath, toOpenAiError } from '../../contract/openai-error.ts'
import type { TraceHeaders } from '../../telemetry/span.ts'
import { runUnitOfWork } from '../../telemetry/work-context.ts'
import type { AppContext, AppEnv } from '../app-env.ts'
import { isUnexpected, toErrorReply } from '../replies/error-response.ts'
import { type CorsRequest, corsHeaders } from '../replies/cors.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Plain request ids from a proxy are reused, so that one search finds both logs. */
const plainRequestId = /^[\w.:-]{1,128}$/

type ContextParts = Pick<ServerDeps, 'clock' | 'ids' | 'log' | 'trustedProxies' | 'telemetry'>

/** Sets up each request's id, logger, trace and client address, and logs it when it ends. */
export function requestContext(deps: ContextParts): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const startedAtMs = deps.clock.now()
    const given = c.req.header('x-request-id')
    const requestId = given !== undefined && plainRequestId.test(given) ? given : deps.ids.prefixed('req')
    const log = deps.log.child({ requestId })
    c.set('requestId', requestId)
    c.set('log', log)
    c.set('clientAddress', readClientAddress(c, deps))
    c.header('X-Request-Id', requestId)
    const { method } = c.req
    const unit = { name: method, kind: 'server', parent: readTraceHeaders(c), fields: { requestId } } as const
    await runUnitOfWork(deps.telemetry?.tracer, unit, async (span) => {
      await next()
      const { status } = c.res
      const durationMs = deps.clock.now() - startedAtMs
      log.info({ method, path: loggedPath(c.req.path), status, durationMs }, 'request-handled')
      if (deps.telemetry === undefined) return
      const { metrics } = deps.telemetry
      // The route pattern, which bounds cardinality: paths are chosen by clients.
      const route = routePath(c)
      metrics.add('docent_http_requests_total', { method, route, status: String(status) })
      metrics.observe('docent_http_request_seconds', { method, route }, durationMs / 1_000)
      span?.rename(`${method} ${route}`)
      span?.set({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'docent.requestId': requestId,
      })
      if (status >= 500) span?.fail(String(status))
    })
  }
}

function readTraceHeaders(c: AppContext): TraceHeaders {
  const [traceparent, tracestate] = [c.req.header('traceparent'), c.req.header('tracestate')]
  return { ...(traceparent !== undefined && { traceparent }), ...(tracestate !== undefined && { tracestate }) }
}

/** Longer than any path of ours; strangers may send 16 KiB. */
const loggedPathCharsMax = 500

/** Redacts secret path segments: people with access to logs may not have access to everything. */
function loggedPath(path: string): string {
  return cutText(path.replace(/^\/pull\/[^/]+/, '/pull/(hidden)'), loggedPathCharsMax)
}

function readClientAddress(c: AppContext, deps: ContextParts): string {
  // Without a socket, the caller is a command in this process.
  const socketAddress = c.env?.incoming?.socket?.remoteAddress ?? '127.0.0.1'
  return resolveClientAddress(socketAddress, c.req.header('x-forwarded-for'), deps.trustedProxies)
}

/** Replies with the error body of the path, whatever was thrown. */
export function sendError(error: unknown, c: AppContext): Response {
  const { status, headers, body } = toErrorReply(error, c.get('requestId'))
  if (isUnexpected(error))
    c.get('log').error({ error, method: c.req.method, path: loggedPath(c.req.path) }, 'request-failed')
  for (const [name, value] of Object.entries({ ...corsHeadersOf(c), ...headers })) c.header(name, value)
  if (body.code === 'invalid_json' && mcpPath.test(c.req.path)) return c.json(toParseError(body.error), status)
  return c.json(isOpenAiPath(c.req.path) ? toOpenAiError(body, status) : body, status)
}

/** JSON-RPC names this error; the others of a request that was not read are those of every path. */
function toParseError(message: string) {
  return { jsonrpc: '2.0', id: null, error: { code: -32_700, message } }
}

/** What pages of other origins may call. */
export const corsPaths = ['/discovery/*', '/widget/settings/*', '/sites/:domain/mcp', '/sites/:domain/mcp/*'] as const
const corsPath = /^\/(?:discovery\/|widget\/settings\/|sites\/[^/]+\/mcp(?:\/|$))/
const mcpPath = /^\/sites\/[^/]+\/mcp$/

/** CORS headers of a reply; none outside `corsPaths`. */
export function corsHeadersOf(c: AppContext): Readonly<Record<string, string>> {
  return corsPath.test(c.req.path) ? corsHeaders(readCorsRequest(c)).headers : {}
}

/** Answers preflights, which carry no key, and sets the CORS headers on every other reply. */
export const cors: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { isPreflight, headers } = corsHeaders(readCorsRequest(c))
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  if (isPreflight) return c.body(null, 204)
  return next()
}

function readCorsRequest(c: AppContext): CorsRequest {
  return {
    method: c.req.method,
    origin: c.req.header('origin') ?? null,
    requestedHeaders: c.req.header('access-control-request-headers') ?? null,
  }
}
