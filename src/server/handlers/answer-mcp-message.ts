import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type { AppContext } from '../app-env.ts'
import { apiVersion } from '../openapi.ts'
import { readJson } from '../bodies/read-json.ts'
import { giveBackUse, type RateLimitHeaders } from '../../access/limits/consume-limits.ts'
import { consumeReaderLimits } from '../requests/request-limits.ts'
import type { ServerDeps } from '../server-deps.ts'
import { mcpTools } from './mcp-tools.ts'

/** Answers one message of the Model Context Protocol. @throws {AppError} as on every other path, if it is refused. */
export async function answerMcpMessage(c: AppContext, deps: ServerDeps): Promise<Response> {
  const message = await readJson(c)
  if (Array.isArray(message)) return c.json(batchRefusal, 400)
  const refusals: unknown[] = []
  const server = createMcpServer(c, deps, (error) => refusals.push(error))
  // JSON, because results are returned whole; a stream would gain nothing, and proxies may buffer it.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    await server.connect(transport)
    const response = await transport.handleRequest(c.req.raw, { parsedBody: message })
    if (refusals.length > 0) throw refusals[0]
    return c.newResponse(response.body, response)
  } finally {
    await server.close()
  }
}

/** One call per request means one use of the limit per request, so that a refused request counts for nothing. */
const batchRefusal = {
  jsonrpc: '2.0',
  id: null,
  error: { code: ErrorCode.InvalidRequest, message: 'Send one JSON-RPC message per request. Batches are not taken.' },
}

/** Shared, because building one costs more than most answers, and a read-only server never asks for input. */
const jsonSchemaValidator = new AjvJsonSchemaValidator()

/** Serves one message. Uses the low-level server because the high-level one turns our refusals into tool results. */
function createMcpServer(c: AppContext, deps: ServerDeps, onRefusal: (error: unknown) => void): Server {
  const { site } = c.get('readerRequest')
  const siteName = site.index.header.siteName || site.name
  const server = new Server(
    { name: 'docent', title: siteName, version: apiVersion },
    {
      capabilities: { tools: {} },
      instructions: `Read-only access to the documentation of ${siteName} (${site.url}). Search first, then read the pages that fit, and give their links with what you tell.`,
      jsonSchemaValidator,
    },
  )
  const tools = Array.from(mcpTools.values(), ({ definition }) => definition)
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    const tool = mcpTools.get(params.name)
    if (tool === undefined) throw new ProtocolError(ErrorCode.InvalidParams, unknownTool(params.name))
    const use = createUse(c, deps)
    try {
      return await tool.call(readToolDeps(c, use.take), params.arguments)
    } catch (error) {
      await use.giveBack()
      // Refusals are sent as on every other path; the transport's reply is discarded.
      onRefusal(error)
      throw error
    }
  })
  server.fallbackRequestHandler = ({ method }) => {
    throw new ProtocolError(
      ErrorCode.MethodNotFound,
      `This server does not know the method ${method.slice(0, 100)}. It offers tools: use tools/list and tools/call.`,
    )
  }
  return server
}

function unknownTool(name: string): string {
  return `There is no tool ${name.slice(0, 100)}. Call one of these: ${[...mcpTools.keys()].join(', ')}.`
}

function readToolDeps(c: AppContext, takeUse: () => Promise<void>) {
  const { site, reader } = c.get('readerRequest')
  return { site, reader, signal: c.req.raw.signal, takeUse }
}

/** The call's use of the limit: taken once the call is known to be valid, refunded if it is refused. */
function createUse(c: AppContext, deps: ServerDeps) {
  let rateLimit: RateLimitHeaders | null = null
  return {
    async take() {
      rateLimit = await consumeReaderLimits(c, deps)
      for (const [name, value] of Object.entries(rateLimit)) c.header(name, value)
    },
    async giveBack() {
      if (rateLimit !== null) await giveBackUse(deps, rateLimit, c.req.raw.signal)
    },
  }
}

/** A protocol error whose message is sent unchanged: the SDK's own class prefixes it with the code. */
class ProtocolError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
