import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** US dollars for a million tokens. */
const price = { input: 2, output: 8 }
const outputTokens = 20

export interface PricedProvider {
  /** What a server needs in its environment to ask this provider, which the server knows the price of. */
  env: Record<string, string>
  /** What has been asked so far, and what a provider would have charged for it. */
  bill(): { requests: number; spentUsd: number }
  close(): Promise<void>
}

/**
 * A provider on this machine that speaks the chat protocol of OpenAI and keeps its own bill.
 *
 * @param answersAfter What each answer waits for, so that many questions are under way at once.
 */
export async function startPricedProvider(answersAfter: () => Promise<unknown>): Promise<PricedProvider> {
  const bill = { requests: 0, spentUsd: 0 }
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    const answer = async () => {
      const inputTokens = countTokens(await buffer(request))
      // Charged when it arrives: a provider computes whether or not somebody waits for the end.
      bill.requests += 1
      bill.spentUsd += (inputTokens * price.input + outputTokens * price.output) / 1_000_000
      await answersAfter()
      writeAnswer(response, inputTokens)
    }
    answer().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // It listens on a port, not on a pipe.
  return {
    env: {
      DOCENT_MODEL: 'openai-compatible/priced',
      DOCENT_MODEL_BASE_URL: `http://127.0.0.1:${port}/v1`,
      DOCENT_MODEL_API_KEY: 'none',
      DOCENT_MODEL_PRICES: `openai-compatible/priced=${price.input}:${price.output}`,
    },
    bill: () => ({ ...bill }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** As tokenizers do: four ASCII characters in a token, and the worst case for rare ones, which is a token for each byte. */
function countTokens(body: Buffer): number {
  let rare = 0
  for (const byte of body) if (byte > 127) rare++
  return Math.ceil((body.length - rare) / 4) + rare
}

function writeAnswer(response: ServerResponse, inputTokens: number): void {
  const chunk = (delta: object, finishReason: string | null = null) => ({
    id: 'chat',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'priced',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  })
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  }
  const events = [
    chunk({ role: 'assistant', content: 'The pages say so.' }),
    chunk({}, 'stop'),
    { ...chunk({}), choices: [], usage },
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`)
  response.end('data: [DONE]\n\n')
}
