import { z } from 'zod'
import { pageRequestSchema, pageResponseSchema, searchRequestSchema, searchResponseSchema } from '../search.ts'
import { defineOperations } from './operation.ts'
import { domainParams } from './params.ts'

const mcpToolNames = ['search', 'ask', 'read_page', 'list_pages', 'submit_feedback'] as const
export type McpToolName = (typeof mcpToolNames)[number]

const messageSchema = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number()]).optional().meta({ description: 'Omitted in notifications.' }),
    method: z.string().meta({ description: 'Such as `initialize`, `tools/list` and `tools/call`.' }),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'McpMessage', description: 'A JSON-RPC message of the Model Context Protocol.' })

const tag = { name: 'Search', description: 'Search a site and read its pages.' }

export const searchOperations = defineOperations(tag, {
  searchSite: {
    method: 'post',
    path: '/discovery/v1/search/{domain}',
    summary: 'Search a site',
    description: 'Returns passages of the pages that the reader may see, best match first.',
    access: 'reader',
    countsAs: 'search',
    params: domainParams,
    body: searchRequestSchema,
    replies: { 200: { description: 'The passages.', json: searchResponseSchema } },
  },
  readPage: {
    method: 'post',
    path: '/discovery/v1/page/{domain}',
    summary: 'Read a page',
    description: 'Returns the whole page as Markdown.',
    access: 'reader',
    countsAs: 'search',
    params: domainParams,
    body: pageRequestSchema,
    replies: { 200: { description: 'The page.', json: pageResponseSchema } },
  },
  callMcp: {
    method: 'post',
    path: '/sites/{domain}/mcp',
    summary: 'Search and read a site from an agent (MCP)',
    description: `A Model Context Protocol server over streamable HTTP, without sessions: revision 2026-07-28 and those from 2025-03-26 to 2025-11-25. Tools: ${mcpToolNames.map((name) => `\`${name}\``).join(', ')}; pages are resources too. Public pages need no key; the site's public key then counts the request. Others need a key, or a signed identity as bearer token. A call counts as a search, \`ask\` as an answer. \`Accept\` must include \`application/json\` and \`text/event-stream\`, as MCP clients do.`,
    access: 'reader',
    countsAs: 'tool',
    params: domainParams,
    body: messageSchema,
    handlerReadsBody: true,
    replies: {
      200: {
        description: 'The result, or an error of the protocol.',
        json: z.record(z.string(), z.unknown()),
      },
      202: { description: 'The notification was accepted.' },
    },
  },
})
