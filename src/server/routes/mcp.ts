import { createRoute } from '@hono/zod-openapi'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import type { AppContext } from '../app-env.ts'
import type { DocentServer } from '../create-server.ts'
import { apiVersion } from '../openapi.ts'
import { readJson, requestBytesMax, requireJsonBody } from '../read-json.ts'
import { requireReader } from '../reader-request.ts'
import { takeSearchLimit } from '../request-limits.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'
import { mcpTools } from './mcp-tools.ts'

const messageSchema = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).optional().meta({ description: 'Left out of notifications.' }),
    method: z.string().meta({ description: 'Such as `initialize`, `tools/list` and `tools/call`.' }),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'McpMessage', description: 'A JSON-RPC message of the Model Context Protocol.' })

const mcpRoute = createRoute({
  method: 'post',
  path: '/sites/{domain}/mcp',
  tags: ['Search'],
  summary: 'Search and read a site from an agent (MCP)',
  description: `The Model Context Protocol over streamable HTTP, stateless and read only. Tools: ${[...mcpTools.keys()].map((name) => `\`${name}\``).join(', ')}. A tool call counts as a search. \`Accept\` must name \`application/json\` and \`text/event-stream\`, as clients of the protocol do.`,
  security: [{ assistantKey: [] }],
  request: {
    params: z.object({ domain: z.string().meta({ description: "The site's slug or one of its host names." }) }),
    body: { required: true, content: { 'application/json': { schema: messageSchema } } },
  },
  responses: {
    200: {
      description: 'The result, or the error that the protocol describes.',
      content: { 'application/json': { schema: z.record(z.string(), z.unknown()) } },
    },
    202: { description: 'The notification is accepted.' },
    ...errorResponses(400, 401, 403, 404, 413, 415, 429, 503),
  },
})

/**
 * The site as a server of the Model Context Protocol: the same key, readers and limits as the paths under `/discovery`.
 *
 * Stateless, so that any replica answers any request: there is no session, hence nothing to GET or DELETE.
 */
export function addMcp(app: DocentServer, parts: ServerParts): void {
  app.openAPIRegistry.registerPath(mcpRoute)
  const path = '/sites/:domain/mcp'
  app.post(path, requireReader(parts), requireJsonBody(requestBytesMax), (c) => answerMessage(c, parts))
  app.all(path, (c, next) => {
    // People open pages in browsers, and a site may have one of this name; clients of the protocol ask for a stream.
    if ((c.req.method === 'GET' || c.req.method === 'HEAD') && /text\/html/.test(c.req.header('accept') ?? ''))
      return next()
    throw new AppError('method_not_allowed', 'This path takes POST only: it keeps no session and streams nothing.', {
      headers: { Allow: 'POST' },
    })
  })
}

async function answerMessage(c: AppContext, parts: ServerParts): Promise<Response> {
  const message = await readJson(c)
  if (Array.isArray(message)) return c.json(batchRefusal, 400)
  const refusals: unknown[] = []
  const server = createMcpServer(c, parts, (error) => refusals.push(error))
  // JSON, because a result comes whole: nothing is gained by a stream that a proxy may hold back.
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

/** One call per request keeps a request to one use of the limit, so that a refused one counts for nothing. */
const batchRefusal = {
  jsonrpc: '2.0',
  id: null,
  error: { code: ErrorCode.InvalidRequest, message: 'Send one JSON-RPC message per request. Batches are not taken.' },
}

/** Shared, because building one costs more than most answers, and a server that only reads never asks for input. */
const jsonSchemaValidator = new AjvJsonSchemaValidator()

/** Lives for one message. The low-level server, because the high-level one turns refusals of ours into tool results. */
function createMcpServer(c: AppContext, parts: ServerParts, onRefusal: (error: unknown) => void): Server {
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
    try {
      return await tool.call(readToolDeps(c, parts), params.arguments)
    } catch (error) {
      // Refusals go out as those of every other path; the transport's reply is thrown away.
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

function readToolDeps(c: AppContext, parts: ServerParts) {
  const { key, site, reader } = c.get('readerRequest')
  return {
    site,
    reader,
    signal: c.req.raw.signal,
    async takeUse() {
      const rateLimit = await takeSearchLimit(parts, key)
      for (const [name, value] of Object.entries(rateLimit)) c.header(name, value)
    },
  }
}

/** An error of the protocol, whose message goes out as it is: the SDK's own class puts its number before the sentence. */
class ProtocolError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
