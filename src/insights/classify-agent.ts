export const agentClasses = ['coding-agent', 'assistant', 'assistant-search', 'training', 'program', 'agent'] as const

/**
 * What kind of program reads the site: a coding agent, an assistant that fetches for a person, the search of an
 * assistant, a crawler for training, another program, or an agent of unknown kind.
 */
export type AgentClass = (typeof agentClasses)[number]

export interface SeenAgent {
  class: AgentClass
  /** As it calls itself; `unnamed` if it does not. */
  name: string
  /** Whether it says so itself; otherwise it is likely by what it asks for. */
  isDeclared: boolean
}

/** Headers of a request; absent ones are undefined. */
export interface CallerHeaders {
  userAgent?: string | undefined
  accept?: string | undefined
  acceptLanguage?: string | undefined
  secFetchMode?: string | undefined
  signatureAgent?: string | undefined
}

const nameCharsMax = 64
const userAgentCharsMax = 1_000

/** In order: an agent may name the program or the company it belongs to as well. */
const knownNames: readonly (readonly [AgentClass, readonly string[]])[] = [
  [
    'coding-agent',
    // prettier-ignore
    ['claude-code', 'Cursor', 'codex', 'opencode', 'GitHubCopilot', 'copilot', 'Cline', 'Windsurf', 'GeminiCLI', 'gemini-cli', 'Antigravity', 'Junie', 'aider', 'OpenClaw', 'Visual Studio Code', 'goose'],
  ],
  [
    'assistant',
    // prettier-ignore
    ['ChatGPT-User', 'Claude-User', 'claude-ai', 'Perplexity-User', 'Google-NotebookLM', 'MistralAI-User', 'Gemini-Deep-Research', 'meta-externalfetcher', 'DuckAssistBot'],
  ],
  ['assistant-search', ['OAI-SearchBot', 'Claude-SearchBot', 'PerplexityBot', 'Applebot']],
  ['training', ['GPTBot', 'ClaudeBot', 'CCBot', 'Bytespider', 'meta-externalagent', 'Amazonbot']],
  [
    'program',
    [
      'axios',
      'node-fetch',
      'undici',
      'got',
      'python-requests',
      'httpx',
      'aiohttp',
      'Go-http-client',
      'curl',
      'Wget',
      'colly',
    ],
  ],
]

const matchers = knownNames.flatMap(([agentClass, names]) =>
  names.map((name) => ({
    agentClass,
    name,
    pattern: new RegExp(String.raw`(?:^|[^a-z0-9])${name}(?:$|[^a-z0-9])`, 'i'),
  })),
)

/** Tools of other vendors append one of these where an agent runs them. */
const appendedName = /(?:^|[\s;(])(?:coding-)?agent\/([\w.-]{1,64})/i

/**
 * Tells an agent from a person by how its request identifies itself. Uses neither addresses nor timing.
 *
 * @returns Null for a person, for a browser that an agent may drive, and where nothing can be said.
 */
export function classifyAgent(headers: CallerHeaders): SeenAgent | null {
  const userAgent = (headers.userAgent ?? '').slice(0, userAgentCharsMax)
  const declared = readDeclared(userAgent)
  if (declared !== null) return declared
  const signer = readSigner(headers.signatureAgent)
  if (signer !== null) return { class: 'assistant', name: signer, isDeclared: true }
  if (headers.secFetchMode !== undefined) return null
  if (/\btext\/markdown\b/i.test(headers.accept ?? '')) return { class: 'agent', name: 'unnamed', isDeclared: false }
  const isBrowser = userAgent.startsWith('Mozilla/') || headers.acceptLanguage !== undefined
  return isBrowser || isCrawler(userAgent) ? null : { class: 'program', name: 'unnamed', isDeclared: false }
}

/** @param name As an MCP client gives it; undefined if it does not. */
export function classifyMcpClient(name: string | undefined, headers: CallerHeaders): SeenAgent {
  const own = (name ?? '')
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, nameCharsMax)
  if (own !== '') return { class: readDeclared(own)?.class ?? 'agent', name: own, isDeclared: true }
  return classifyAgent(headers) ?? { class: 'agent', name: 'unnamed', isDeclared: false }
}

function readDeclared(userAgent: string): SeenAgent | null {
  const appended = appendedName.exec(userAgent)?.[1]
  if (appended !== undefined) return { class: 'coding-agent', name: appended, isDeclared: true }
  const known = matchers.find(({ pattern }) => pattern.test(userAgent))
  return known === undefined ? null : { class: known.agentClass, name: known.name, isDeclared: true }
}

/** The host of the agent's key directory, which Web Bot Auth names. The signature is not checked. */
function readSigner(header: string | undefined): string | null {
  const address = header?.slice(0, 200).replace(/^"|"$/g, '') ?? ''
  return URL.canParse(address) ? new URL(address).hostname.slice(0, nameCharsMax) : null
}

/** Search engines, monitors and others that say what they are. */
function isCrawler(userAgent: string): boolean {
  return /bot|crawl|spider|slurp|monitor|preview/i.test(userAgent)
}
