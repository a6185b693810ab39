import { describe, expect, it } from 'vitest'
import { type CallerHeaders, classifyAgent, classifyMcpClient } from './classify-agent.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36'
const bot = (name: string) => `Mozilla/5.0 (compatible; ${name}; +https://example.com/bot)`
const markdown = 'text/markdown, text/html, */*'
const page = { accept: 'text/html', acceptLanguage: 'en', secFetchMode: 'navigate' }

/** What is expected: class and name of an agent that declares itself, with `?` of a likely one; null for anybody else. */
const table: [CallerHeaders, string | null][] = [
  [{ userAgent: 'claude-code/2.1.0', accept: markdown }, 'coding-agent claude-code'],
  [{ userAgent: 'Claude-User (claude-code/2.1.0; +https://support.anthropic.com/)' }, 'coding-agent claude-code'],
  [{ userAgent: 'Cursor/2.4.1', accept: markdown }, 'coding-agent Cursor'],
  [{ userAgent: `${chrome} Cursor/2.4.1` }, 'coding-agent Cursor'],
  [{ userAgent: 'codex_cli/0.80' }, 'coding-agent codex'],
  [{ userAgent: 'codex/0.80.0 (linux)' }, 'coding-agent codex'],
  [{ userAgent: 'opencode/1.2' }, 'coding-agent opencode'],
  [{ userAgent: 'GitHubCopilotChat/0.30 GitHubCopilot/1' }, 'coding-agent GitHubCopilot'],
  [{ userAgent: 'copilot/1.0.5' }, 'coding-agent copilot'],
  [{ userAgent: 'Cline/3.9' }, 'coding-agent Cline'],
  [{ userAgent: 'Windsurf/1.12' }, 'coding-agent Windsurf'],
  [{ userAgent: 'GeminiCLI/0.20 (linux; x64)' }, 'coding-agent GeminiCLI'],
  [{ userAgent: 'gemini-cli' }, 'coding-agent gemini-cli'],
  [{ userAgent: 'Antigravity/1.1' }, 'coding-agent Antigravity'],
  [{ userAgent: 'JetBrains Junie 253.1' }, 'coding-agent Junie'],
  [{ userAgent: 'aider/0.86' }, 'coding-agent aider'],
  [{ userAgent: 'raider/0.86', acceptLanguage: 'en' }, null],
  [{ userAgent: 'OpenClaw/2026.1' }, 'coding-agent OpenClaw'],
  [{ userAgent: 'some-cli/1.0 Coding-Agent/claude' }, 'coding-agent claude'],
  [{ userAgent: 'curl/8.5 agent/kiro' }, 'coding-agent kiro'],
  [{ userAgent: 'docent-cli/0.1 agent/CODEX_CI' }, 'coding-agent CODEX_CI'],
  [{ userAgent: bot('ChatGPT-User/1.0') }, 'assistant ChatGPT-User'],
  [{ userAgent: bot('Claude-User/1.0') }, 'assistant Claude-User'],
  [{ userAgent: bot('Perplexity-User/1.0') }, 'assistant Perplexity-User'],
  [{ userAgent: 'Google-NotebookLM' }, 'assistant Google-NotebookLM'],
  [{ userAgent: bot('MistralAI-User/1.0') }, 'assistant MistralAI-User'],
  [{ userAgent: bot('Gemini-Deep-Research') }, 'assistant Gemini-Deep-Research'],
  [{ userAgent: 'meta-externalfetcher/1.1' }, 'assistant meta-externalfetcher'],
  [{ userAgent: bot('DuckAssistBot/1.2') }, 'assistant DuckAssistBot'],
  [{ userAgent: chrome, signatureAgent: '"https://chatgpt.com"' }, 'assistant chatgpt.com'],
  [{ userAgent: chrome, signatureAgent: 'not an address', ...page }, null],
  [{ userAgent: bot('OAI-SearchBot/1.3') }, 'assistant-search OAI-SearchBot'],
  [{ userAgent: bot('Claude-SearchBot/1.0') }, 'assistant-search Claude-SearchBot'],
  [{ userAgent: bot('PerplexityBot/1.0') }, 'assistant-search PerplexityBot'],
  [{ userAgent: bot('Applebot/0.1') }, 'assistant-search Applebot'],
  [{ userAgent: bot('GPTBot/1.3') }, 'training GPTBot'],
  [{ userAgent: bot('gptbot/1.3') }, 'training GPTBot'],
  [{ userAgent: bot('ClaudeBot/1.0') }, 'training ClaudeBot'],
  [{ userAgent: 'CCBot/2.0 (https://commoncrawl.org/faq/)' }, 'training CCBot'],
  [{ userAgent: bot('Bytespider') }, 'training Bytespider'],
  [{ userAgent: 'meta-externalagent/1.1' }, 'training meta-externalagent'],
  [{ userAgent: bot('Amazonbot/0.1') }, 'training Amazonbot'],
  [{ userAgent: 'axios/1.7.2' }, 'program axios'],
  [{ userAgent: 'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)' }, 'program node-fetch'],
  [{ userAgent: 'undici', accept: '*/*', acceptLanguage: '*', secFetchMode: 'cors' }, 'program undici'],
  [{ userAgent: 'got (https://github.com/sindresorhus/got)' }, 'program got'],
  [{ userAgent: 'forgotten/1', acceptLanguage: 'en' }, null],
  [{ userAgent: 'python-requests/2.32' }, 'program python-requests'],
  [{ userAgent: 'python-httpx/0.28' }, 'program httpx'],
  [{ userAgent: 'Python/3.12 aiohttp/3.10' }, 'program aiohttp'],
  [{ userAgent: 'Go-http-client/2.0' }, 'program Go-http-client'],
  [{ userAgent: 'curl/8.5.0', accept: '*/*' }, 'program curl'],
  [{ userAgent: 'Wget/1.24' }, 'program Wget'],
  [{ userAgent: 'colly - https://github.com/gocolly/colly' }, 'program colly'],
  [{ accept: '*/*' }, 'program unnamed?'],
  [{}, 'program unnamed?'],
  [{ userAgent: chrome, accept: markdown }, 'agent unnamed?'],
  [{ userAgent: 'something/1.0', accept: 'text/markdown' }, 'agent unnamed?'],
  [{ userAgent: chrome, ...page }, null],
  [{ userAgent: chrome, accept: 'text/markdown', secFetchMode: 'cors', acceptLanguage: 'en' }, null],
  [{ userAgent: chrome, accept: 'text/html', acceptLanguage: 'de' }, null],
  [{ userAgent: chrome, accept: '*/*' }, null],
  [{ userAgent: bot('Googlebot/2.1') }, null],
  [{ userAgent: 'UptimeMonitor/1.0' }, null],
  [{ userAgent: `${'x '.repeat(100_000)}curl/8`, acceptLanguage: 'en' }, null],
]

const describeAgent = (agent: ReturnType<typeof classifyAgent>) =>
  agent && `${agent.class} ${agent.name}${agent.isDeclared ? '' : '?'}`

describe('a request is told to be of an agent by what it says of itself alone', () => {
  it.each(table.map(([headers, expected]) => ({ headers, expected })))(
    '$headers is $expected',
    ({ headers, expected }) => {
      expect(describeAgent(classifyAgent(headers))).toBe(expected)
    },
  )

  it.each([
    ['claude-code', {}, 'coding-agent claude-code'],
    ['cursor-vscode', {}, 'coding-agent cursor-vscode'],
    ['Visual Studio Code', {}, 'coding-agent Visual Studio Code'],
    ['claude-ai', {}, 'assistant claude-ai'],
    ['my own\u0007 client', {}, 'agent my own client'],
    ['x'.repeat(200), {}, `agent ${'x'.repeat(64)}`],
    [undefined, { userAgent: 'curl/8' }, 'program curl'],
    [undefined, { userAgent: chrome, ...page }, 'agent unnamed?'],
  ])('the MCP client %s is %s', (name, headers, expected) => {
    expect(describeAgent(classifyMcpClient(name, headers))).toBe(expected)
  })
})
