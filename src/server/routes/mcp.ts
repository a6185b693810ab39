import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import type { DocentServer } from '../create-server.ts'
import { requestBytesMax } from '../read-json.ts'
import { acceptReader } from '../accept-reader.ts'
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
  app.post(path, ...acceptReader(parts, 'tool', { bytesMax: requestBytesMax }), async (c) => {
    // The protocol's package takes as much memory as the rest of the server, and most sites are never asked this way.
    const { answerMcpMessage } = await import('./answer-mcp-message.ts')
    return answerMcpMessage(c, parts)
  })
  app.all(path, (c, next) => {
    // People open pages in browsers, and a site may have one of this name; clients of the protocol ask for a stream.
    if ((c.req.method === 'GET' || c.req.method === 'HEAD') && /text\/html/.test(c.req.header('accept') ?? ''))
      return next()
    throw new AppError('method_not_allowed', 'This path takes POST only: it keeps no session and streams nothing.', {
      headers: { Allow: 'POST' },
    })
  })
}
