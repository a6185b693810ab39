import { SiteSetup } from '../panel/site-setup.ts'
import type { OfferDeps, WidgetTag } from '../panel-contract.ts'

/** The part of the draft of 20 October 2026 that is used. */
interface ModelContext {
  registerTool(tool: WebTool, options: { signal: AbortSignal }): unknown
}

interface WebTool {
  name: string
  description: string
  inputSchema: object
  annotations: { readOnlyHint: boolean; untrustedContentHint: boolean }
  execute(input: Readonly<Record<string, unknown>>): Promise<ToolResult>
}

interface ToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: Readonly<Record<string, unknown>>
  isError?: boolean
}

const revision = '2026-07-28'
/** What the makers of browsers advise. */
const outputCharsMax = 1_500
const waitMs = 60_000

/**
 * Offers the site's search, answers and pages to the browser's own agent, which asks its user before it calls a tool. The
 * tools are those of the site's MCP server.
 */
export function offer({ tag, signal }: OfferDeps): void {
  const { modelContext } = document as Document & { modelContext?: ModelContext } // Not in the types of the DOM yet.
  // Chromium 156 throws at once and returns nothing; by the draft, a promise is rejected.
  const register = async (tool: WebTool) => modelContext?.registerTool(tool, { signal })
  // Another widget may have registered the name, or the page's policy may forbid tools.
  for (const tool of listTools(tag)) register(tool).catch(() => {})
}

function listTools(tag: WidgetTag): WebTool[] {
  const setup = new SiteSetup({ tag, receive: () => {} })
  const call = (name: string, input: object) => callTool(tag, setup, name, input)
  const tool = (
    name: string,
    description: string,
    argument: string,
    execute: (value: string) => Promise<ToolResult>,
  ) => ({
    name,
    description,
    inputSchema: { type: 'object', properties: { [argument]: { type: 'string' } }, required: [argument] },
    annotations: { readOnlyHint: name !== 'open_docs_page', untrustedContentHint: true },
    execute: async (input: Readonly<Record<string, unknown>>) => shorten(await execute(readText(input[argument]))),
  })
  return [
    tool(
      'search_docs',
      'Searches this documentation and returns the passages that fit best, with their links.',
      'query',
      (query) => call('search', { query, limit: 4 }),
    ),
    tool('ask_docs', 'Answers a question from this documentation and names its sources.', 'question', (question) =>
      call('ask', { question }),
    ),
    tool(
      'open_docs_page',
      'Goes to a page of this documentation, given its path or link as search_docs returns it.',
      'path',
      async (path) => {
        const result = await call('read_page', { path })
        const href = result.structuredContent?.['href']
        // After the result has been taken, because the page ends with this one.
        if (typeof href === 'string' && /^https?:/.test(href)) setTimeout(() => location.assign(href))
        return result
      },
    ),
  ]
}

/** The browser has checked the input against the schema; agents of others may not have. */
const readText = (value: unknown) => (typeof value === 'string' ? value : '')

async function callTool(tag: WidgetTag, setup: SiteSetup, name: string, input: object): Promise<ToolResult> {
  const key = await setup.readKey()
  const response = await fetch(`${tag.url}/sites/${encodeURIComponent(tag.site)}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': revision,
      'Mcp-Method': 'tools/call',
      'Mcp-Name': name,
      ...(key !== null && { Authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: input,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': revision,
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name: 'webmcp', version: '1' },
        },
      },
    }),
    signal: AbortSignal.timeout(waitMs),
  })
  // The service's own reply.
  const { result, message } = (await response.json()) as { result?: ToolResult; message?: string }
  return result ?? { content: [{ type: 'text', text: message ?? 'The documentation did not answer.' }], isError: true }
}

function shorten({ content, isError = false }: ToolResult): ToolResult {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n')
  const kept = text.length > outputCharsMax ? `${text.slice(0, outputCharsMax - 1)}…` : text
  return { content: [{ type: 'text', text: kept }], isError }
}
