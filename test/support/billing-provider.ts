import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the provider does with a request that it has charged for. */
export type BilledReply =
  | 'answer'
  /** Takes the prompt, begins its reply, and breaks off. */
  | 'break-off'
  /** Answers and does not say how much it counted. */
  | 'no-usage'
  /** Thinks for twice as long as it may. */
  | 'overrun'
  /** Takes the prompt and fails. */
  | 'fail'

export interface BillingProvider {
  /** The base address, as `DOCENT_MODEL_BASE_URL` takes it. */
  url: string
  /** US dollars of all requests so far, as the provider counts its own tokens. */
  billedUsd(): number
  readonly requests: { model: string; messages: unknown[] }[]
  /** Chosen for each request by its model and its number, from 0. */
  replyWith(choose: (model: string, index: number) => BilledReply): void
  close(): Promise<void>
}

export interface BillingProviderOptions {
  /** By model, in US dollars for a million tokens. */
  prices: Readonly<Record<string, { input: number; output: number }>>
  /** Output tokens of an answer, of those that it may have. */
  outputShare?: number
}

interface ChatRequest {
  model: string
  messages: unknown[]
  tools?: unknown[]
  max_tokens?: number
}

/** English comes out at four characters a token; this provider counts more than that. */
const charsPerToken = 3

/** A provider on this machine that speaks the chat protocol of OpenAI, counts tokens by itself and keeps a bill. */
export async function startBillingProvider(options: BillingProviderOptions): Promise<BillingProvider> {
  const { prices, outputShare = 1 } = options
  const requests: ChatRequest[] = []
  let billed = 0
  let choose: (model: string, index: number) => BilledReply = () => 'answer'
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    void (async () => {
      let text = ''
      for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
      const asked = JSON.parse(text) as ChatRequest // Provider packages send this shape.
      const reply = choose(asked.model, requests.length)
      requests.push(asked)
      const input = Math.ceil(JSON.stringify([asked.messages, asked.tools ?? []]).length / charsPerToken)
      const output = outputOf(reply, asked, outputShare)
      const price = prices[asked.model] ?? { input: 0, output: 0 }
      billed += (input * price.input + output * price.output) / 1_000_000
      play(response, reply, { input, output })
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, // It listens on a port, not on a pipe.
    billedUsd: () => billed,
    requests,
    replyWith: (chosen) => void (choose = chosen),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function outputOf(reply: BilledReply, { max_tokens: most = 4_096 }: ChatRequest, share: number): number {
  if (reply === 'fail') return 0
  return reply === 'overrun' ? most * 2 : Math.ceil(most * share)
}

function play(
  response: ServerResponse,
  reply: BilledReply,
  { input, output }: { input: number; output: number },
): void {
  if (reply === 'fail') {
    response.writeHead(503, { 'content-type': 'application/json' })
    return void response.end('{"error":{"message":"Overloaded."}}')
  }
  const chunk = (fields: object) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, ...fields })}\n\n`
  const say = (delta: object, reason: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, finish_reason: reason }] })
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (reply === 'break-off') {
    response.write(say({ role: 'assistant', content: '' }))
    return void setImmediate(() => response.destroy())
  }
  response.write(say({ role: 'assistant', content: 'See [Printers](/guides/printers).' }))
  response.write(say({}, 'stop'))
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  if (reply !== 'no-usage') response.write(chunk({ choices: [], usage }))
  response.end('data: [DONE]\n\n')
}
