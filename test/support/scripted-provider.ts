import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { listenLocally } from './listen-locally.ts'

/** What the model of a scripted provider does in one step. */
export interface ScriptedStep {
  /** In one piece, or in these. */
  text?: string | readonly string[]
  calls?: readonly { tool: string; input: object }[]
}

export interface ChatRequest {
  model: string
  messages: { role: string; content: unknown; tool_calls?: unknown[] }[]
  tools?: { function: { name: string } }[]
}

export interface ScriptedProvider {
  /** The base address, as `DOCENT_MODEL_BASE_URL` takes it. */
  url: string
  readonly requests: ChatRequest[]
  /** Headers of each request. */
  readonly headers: IncomingHttpHeaders[]
  close(): Promise<void>
}

/**
 * A provider on this machine that speaks the chat protocol of OpenAI and does what a script says: the step that follows
 * from how often the model has spoken in the conversation, so that it does not matter how often it is asked.
 */
export async function startScriptedProvider(
  script: (request: ChatRequest) => ScriptedStep | Promise<ScriptedStep>,
): Promise<ScriptedProvider> {
  const requests: ChatRequest[] = []
  const headers: IncomingHttpHeaders[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
    const body = JSON.parse(text) as ChatRequest // Provider packages send this shape.
    requests.push(body)
    headers.push(request.headers)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of toEvents(await script(body), requests.length))
      response.write(`data: ${JSON.stringify(event)}\n\n`)
    response.end('data: [DONE]\n\n')
  }
  const { origin, close } = await listenLocally(answer)
  return {
    url: `${origin}/v1`,
    requests,
    headers,
    close,
  }
}

/** How often the model has spoken in a conversation. */
export function countTurns({ messages }: ChatRequest): number {
  return messages.filter(({ role }) => role === 'assistant').length
}

function toEvents({ text, calls = [] }: ScriptedStep, id: number): object[] {
  const chunk = (delta: object, finishReason: string | null = null) => ({
    id: `chat-${id}`,
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  })
  return [
    ...[text ?? ''].flat().map((content) => chunk({ role: 'assistant', content })),
    ...calls.flatMap(({ tool, input }, index) => {
      const json = JSON.stringify(input)
      const middle = Math.floor(json.length / 2)
      const first = { index, id: `call_${id}_${index}`, type: 'function', function: { name: tool, arguments: '' } }
      // Arguments come in pieces.
      const pieces = [json.slice(0, middle), json.slice(middle)].map((part) => ({
        index,
        function: { arguments: part },
      }))
      return [first, ...pieces].map((call) => chunk({ tool_calls: [call] }))
    }),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    { ...chunk({}), choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } },
  ]
}
