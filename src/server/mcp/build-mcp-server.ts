import { type CacheScope, McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { McpToolName } from '../../contract/operations/search.ts'
import { hourMs, minuteMs } from '../../base/durations.ts'
import { apiVersion } from '../openapi.ts'
import { askTool, submitFeedbackTool } from './asking-tools.ts'
import { addPrompts } from './add-prompts.ts'
import type { McpCall, McpTool } from './mcp-tool.ts'
import { addPageResources, listResources } from './page-resources.ts'
import { findSkillCatalog } from './skill-catalogs.ts'
import { listPagesTool, readPageTool, searchTool } from './reading-tools.ts'

/** In a stable order, which prompt caches rely on. */
const mcpTools: ReadonlyMap<string, McpTool> = new Map(
  Object.entries({
    search: searchTool,
    ask: askTool,
    read_page: readPageTool,
    list_pages: listPagesTool,
    submit_feedback: submitFeedbackTool,
  } satisfies Record<McpToolName, McpTool>),
)

const tools = Array.from(mcpTools.values(), ({ definition }) => definition)

/** Runs the work of a call, and passes on what refuses it. */
type Guard = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Builds the server of one request. Its tools are registered by hand, because the package's own registration turns
 * refusals into results, and pages of resources too, because that has no pages.
 */
export async function buildMcpServer(call: McpCall, guard: Guard): Promise<McpServer> {
  const catalog = await findSkillCatalog(call.site.slug, call.skill)
  const { site, reader } = call
  const isPublic = reader.readerGroups.length === 0 && !reader.isSignedIn
  const pageScope: CacheScope = isPublic ? 'public' : 'private'
  const server = new McpServer(
    { name: 'docent', title: titleOf(call), version: apiVersion, websiteUrl: site.url },
    {
      instructions: describeUse(call),
      capabilities: { tools: { listChanged: false }, resources: {} },
      cacheHints: {
        'server/discover': { ttlMs: hourMs, cacheScope: pageScope },
        'tools/list': { ttlMs: 5 * minuteMs, cacheScope: 'public' },
        'prompts/list': { ttlMs: 5 * minuteMs, cacheScope: pageScope },
        'resources/templates/list': { ttlMs: 5 * minuteMs, cacheScope: pageScope },
        'resources/list': { ttlMs: minuteMs, cacheScope: pageScope },
        'resources/read': { ttlMs: minuteMs, cacheScope: pageScope },
      },
    },
  )
  addPageResources(server, call, guard)
  addPrompts(server, titleOf(call))
  catalog.attach(server)
  server.server.setRequestHandler('resources/list', ({ params }) => guard(() => listResources(call, params?.cursor)))
  server.server.setRequestHandler('tools/list', () => ({ tools }))
  server.server.setRequestHandler('tools/call', ({ params: { name, arguments: input } }) => {
    const tool = mcpTools.get(name)
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, describeUnknown(name))
    return guard(() => tool.call(call, input))
  })
  return server
}

function titleOf({ site }: McpCall): string {
  return site.index.header.siteName || site.name
}

function describeUse(call: McpCall): string {
  return `The documentation of ${titleOf(call)} (${call.site.url}). Search first, then read the pages that fit, and give their links with what you tell. Ask for what several pages say together. Report what is wrong or missing with submit_feedback.`
}

function describeUnknown(name: string): string {
  return `There is no tool ${name.slice(0, 100)}. Call one of these: ${[...mcpTools.keys()].join(', ')}.`
}
