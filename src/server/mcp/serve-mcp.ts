import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  type McpHttpHandler,
  originValidationResponse,
  ProtocolError,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { consumeLimits, returnUse, type RateLimitHeaders } from '../../access/limits/consume-limits.ts'
import { AppError } from '../../contract/app-error.ts'
import { agentFeedbackPrefix, type AgentVisit } from '../../insights/agents-seen.ts'
import { classifyMcpClient } from '../../insights/classify-agent.ts'
import { giveFeedback, requireAnswer } from '../../insights/give-feedback.ts'
import { runUnitOfWork } from '../../telemetry/work-context.ts'
import type { AppContext } from '../app-env.ts'
import { readJson } from '../bodies/read-json.ts'
import { answerProgram } from '../handlers/answer-route.ts'
import { findSiteSkill } from '../resources/site-skill.ts'
import type { SiteSkill } from '../../sites/site-skill.ts'
import { readCallerHeaders, readVisitor } from '../requests/record-agents.ts'
import { consumeReaderLimits, listPageLimits } from '../requests/request-limits.ts'
import type { ServerDeps } from '../server-deps.ts'
import { buildMcpServer } from './build-mcp-server.ts'
import type { McpCall } from './mcp-tool.ts'
import type { DashboardEvents } from '../../insights/dashboard-events.ts'

/** Streams of changes that clients may hold open for one site in this process. */
const subscriptionsMax = 256
/** The only revision with batches, and what a client means that names no revision. */
const batchRevision = '2025-03-26'
const batchMessagesMax = 20
/** The first revision whose results may contain links to resources. */
const linkRevision = '2025-06-18'

/** The Model Context Protocol over HTTP: revision 2026-07-28, and those before it without sessions. */
export class McpEndpoint {
  readonly #deps: ServerDeps
  /** By site, because each has its own subscribers. */
  readonly #handlers = new Map<string, McpHttpHandler>()
  readonly #exchanges = new WeakMap<Request, McpExchange>()

  constructor(deps: ServerDeps) {
    this.#deps = deps
  }

  /** Answers one request. @throws {AppError} as on every other path, if it is refused. */
  async serve(c: AppContext): Promise<Response> {
    const refused = refuseForeignHost(c, this.#deps)
    if (refused !== null) return refused
    const message = await readJson(c)
    const isLegacy = await isLegacyRequest(c.req.raw, message)
    if (Array.isArray(message) && isLegacy && !isBatchAllowed(c, message)) return c.json(batchRefusal, 400)
    const exchange = new McpExchange(c, this.#deps, message, isLegacy)
    const response = await runTraced(c, this.#deps, message, () =>
      isLegacy ? serveLegacy(c, exchange, message) : this.#serveModern(c, exchange, message),
    )
    exchange.throwRefusal()
    return c.newResponse(response.body, response)
  }

  #serveModern(c: AppContext, exchange: McpExchange, message: unknown): Promise<Response> {
    this.#exchanges.set(c.req.raw, exchange)
    return this.#findHandler(c).fetch(c.req.raw, { parsedBody: message })
  }

  #findHandler(c: AppContext): McpHttpHandler {
    const { site, key } = c.get('readerRequest')
    const known = this.#handlers.get(site.id)
    if (known !== undefined) return known
    const { dashboardEvents, lifecycle } = this.#deps
    const handler = createMcpHandler(({ requestInfo }) => this.#buildServer(requestInfo), {
      legacy: 'reject',
      bus: createSiteChangeBus(dashboardEvents, { id: site.id, organizationId: key.organizationId }),
      maxSubscriptions: subscriptionsMax,
    })
    this.#handlers.set(site.id, handler)
    lifecycle.drainBegins.addEventListener('abort', () => void handler.close(), { once: true })
    return handler
  }

  #buildServer(request: Request | undefined) {
    const exchange = request && this.#exchanges.get(request)
    if (exchange === undefined) throw new Error('The request was not registered before it was handled.')
    return exchange.buildServer()
  }
}

/** JSON, because results are returned whole; a stream would gain nothing, and proxies may buffer it. */
async function serveLegacy(c: AppContext, exchange: McpExchange, message: unknown): Promise<Response> {
  const server = await exchange.buildServer()
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    await server.connect(transport)
    return await transport.handleRequest(c.req.raw, { parsedBody: message })
  } finally {
    await server.close()
  }
}

/**
 * On a machine of its own, a service is reached by loopback names only; another name belongs to a web page that had its
 * own name point to this machine (DNS rebinding). A key cannot be obtained that way.
 */
function refuseForeignHost(c: AppContext, { baseUrl }: ServerDeps): Response | null {
  const names = localhostAllowedHostnames()
  if (c.req.header('authorization') !== undefined || !names.includes(new URL(baseUrl).hostname)) return null
  return hostHeaderValidationResponse(c.req.raw, names) ?? originValidationResponse(c.req.raw, names) ?? null
}

function isBatchAllowed(c: AppContext, messages: readonly unknown[]): boolean {
  return (
    messages.length <= batchMessagesMax && (c.req.header('mcp-protocol-version') ?? batchRevision) === batchRevision
  )
}

const batchRefusal = {
  jsonrpc: '2.0',
  id: null,
  error: {
    code: ProtocolErrorCode.InvalidRequest,
    message: `Send one JSON-RPC message per request. Only revision ${batchRevision} has batches, of at most ${batchMessagesMax} messages.`,
  },
}

const traceSchema = z.object({ traceparent: z.string().max(200), tracestate: z.string().max(1_000).optional() })
const tracedSchema = z.object({ method: z.string(), params: z.object({ _meta: traceSchema }) })

const clientInfoKey = 'io.modelcontextprotocol/clientInfo'
const clientSchema = z.object({
  params: z.object({ _meta: z.object({ [clientInfoKey]: z.object({ name: z.string() }) }) }),
})

/** Joins the trace that the message names, which proxies cannot see. */
function runTraced<Result>(
  c: AppContext,
  { telemetry }: ServerDeps,
  message: unknown,
  work: () => Promise<Result>,
): Promise<Result> {
  const { data } = tracedSchema.safeParse(message)
  const { traceparent, tracestate } = data?.params['_meta'] ?? {}
  if (traceparent === undefined) return work()
  const parent = { traceparent, ...(tracestate !== undefined && { tracestate }) }
  const name = data?.method.slice(0, 50) ?? ''
  return runUnitOfWork(
    telemetry?.tracer,
    { name, kind: 'server', parent, fields: { requestId: c.get('requestId') } },
    work,
  )
}

/** One request and what its calls have used. */
class McpExchange {
  readonly #c: AppContext
  readonly #deps: ServerDeps
  readonly #isLegacy: boolean
  readonly #isBatch: boolean
  /** Earlier revisions name the client only when it connects. */
  readonly #clientName: string | undefined
  readonly #refusals: unknown[] = []
  /** What the running call has used. */
  #used: RateLimitHeaders[] = []
  #last: Promise<unknown> = Promise.resolve()

  constructor(c: AppContext, deps: ServerDeps, message: unknown, isLegacy: boolean) {
    this.#c = c
    this.#deps = deps
    this.#isLegacy = isLegacy
    this.#isBatch = Array.isArray(message)
    this.#clientName = clientSchema.safeParse(message).data?.params['_meta'][clientInfoKey].name
  }

  async buildServer() {
    const skill = await findSiteSkill(this.#deps, this.#c.get('readerRequest').site)
    return buildMcpServer(this.#describeCall(skill), (work) => this.#guard(work))
  }

  /** Refusals are sent as on every other path; the protocol's reply is discarded. */
  throwRefusal(): void {
    if (this.#refusals.length > 0) throw this.#refusals[0]
  }

  /** One call at a time, although a batch has several. */
  #guard<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(() => this.#run(work))
    this.#last = result.catch(() => undefined)
    return result
  }

  async #run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#used = []
    try {
      return await work()
    } catch (error) {
      for (const used of this.#used) await returnUse(this.#deps, used, this.#c.req.raw.signal)
      if (error instanceof ProtocolError) throw error
      // The other calls of a batch have been done.
      if (this.#isBatch && error instanceof AppError) {
        throw new ProtocolError(ProtocolErrorCode.InternalError, error.message)
      }
      this.#refusals.push(error)
      throw error
    }
  }

  #describeCall(skill: SiteSkill): McpCall {
    const c = this.#c
    const revision = c.req.header('mcp-protocol-version') ?? batchRevision
    return {
      ...c.get('readerRequest'),
      signal: c.req.raw.signal,
      skill,
      knowsLinks: !this.#isLegacy || revision >= linkRevision,
      recordVisit: (form, subject, isMissed) => this.#recordVisit({ form, subject, isMissed }),
      consumeUse: async () => this.#note(await consumeReaderLimits(c, this.#deps)),
      ask: (question, write) => answerProgram(c, this.#deps, question, write, 'mcp'),
      giveFeedback: (given) => this.#giveFeedback(given),
    }
  }

  #recordVisit(visit: Pick<AgentVisit, 'form' | 'subject' | 'isMissed'>): void {
    const agent = classifyMcpClient(this.#clientName, readCallerHeaders(this.#c))
    const { site } = this.#c.get('readerRequest')
    this.#deps.agentsSeen.note({ ...visit, siteId: site.id, agent, address: readVisitor(this.#c) })
  }

  #note(used: RateLimitHeaders): void {
    this.#used.push(used)
    for (const [name, value] of Object.entries(used)) this.#c.header(name, value)
  }

  async #giveFeedback(given: Parameters<McpCall['giveFeedback']>[0]): Promise<void> {
    const { key, site } = this.#c.get('readerRequest')
    const { messageId } = given
    const threadId = messageId === null ? null : await requireAnswer(this.#deps.store, site.id, messageId)
    const address = this.#c.get('clientAddress')
    this.#note(await consumeLimits(this.#deps, listPageLimits(this.#deps, 'feedback', { key, address })))
    const fp = `${agentFeedbackPrefix}${this.#deps.readerSessions.nameNetwork(address)}`
    await giveFeedback(this.#deps, { ...given, threadId, siteId: site.id, fp })
  }
}

/**
 * Tells subscribers that the pages of a site may have changed, whichever process indexed it. Nothing is looked up while
 * nobody has subscribed.
 */
function createSiteChangeBus(
  events: DashboardEvents,
  { id, organizationId }: { id: string; organizationId: string },
): ServerEventBus {
  return {
    publish: () => undefined,
    subscribe: (listener) => {
      let hasBegun = false
      return events.subscribe(organizationId, (event) => {
        // The first event says only that the subscription has begun.
        const isChange =
          event.type === 'everything-changed' ? hasBegun : event.type === 'site-changed' && event.id === id
        hasBegun = true
        if (isChange) listener({ kind: 'resources_list_changed' })
      })
    },
  }
}
