import type { searchOperations } from '../../contract/operations/search.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'
import type { McpEndpoint } from './serve-mcp.ts'

export function createMcpHandlers(deps: ServerDeps): Handlers<Pick<typeof searchOperations, 'callMcp'>> {
  let endpoint: Promise<McpEndpoint> | null = null
  return {
    callMcp: async ({ c }) => {
      // Loaded late, because most installations never get MCP requests.
      endpoint ??= import('./serve-mcp.ts').then(({ McpEndpoint }) => new McpEndpoint(deps))
      return (await endpoint).serve(c)
    },
  }
}
