import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fitCall, priceTokens } from '../../src/models/calls/fit-call.ts'
import { findPrice, parsePrices } from '../../src/models/providers/prices.ts'
import { askModel } from './ask-model.ts'
import { createManualTime } from './manual-time.ts'
import { type Protocol, protocolOf, readRecording, settingsOf } from './protocols.ts'
import { type RecordedServer, startRecordedServer } from './recorded-server.ts'

type Block = Record<string, unknown>

interface AnthropicBody {
  tools?: Block[]
  system?: Block[]
  messages?: { role: string; content: Block[] }[]
}

/** What Anthropic caches: tools, system, messages, in this order, and after which of them the marks stand. */
function readBlocks({ tools = [], system = [], messages = [] }: AnthropicBody): { blocks: string[]; marks: number[] } {
  const all = [...tools, ...system, ...messages.flatMap(({ content }) => content)]
  const marks = [...all.keys()].filter((index) => all[index]?.['cache_control'] !== undefined)
  return { blocks: all.map((block) => JSON.stringify({ ...block, cache_control: undefined })), marks }
}

/** Anthropic's API with its cache: a call reads the longest marked beginning that a call before has written. */
async function startCachingServer(protocol: Protocol) {
  const written = new Set<string>()
  const seen: { marks: number; read: number; wrote: number; fresh: number }[] = []
  const recordings = ['tool-call', 'text'].map((name) => readRecording(protocol, name))
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { blocks, marks } = readBlocks((await json(request)) as AnthropicBody) // Packages send JSON objects.
    const beginnings = marks.map((mark) => blocks.slice(0, mark + 1).join('\n'))
    const read = Math.max(0, ...beginnings.filter((text) => written.has(text)).map((text) => text.length))
    const marked = Math.max(0, ...beginnings.map((text) => text.length))
    for (const text of beginnings) written.add(text)
    const counts = { read, wrote: marked - read, fresh: blocks.join('\n').length - marked }
    const events = recordings[seen.push({ marks: marks.length, ...counts }) - 1] ?? []
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) response.write(`event: x\ndata: ${count(event, counts)}\n\n`)
    response.end()
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // It listens on a port.
  const dispose = async () => void (await once(server.close(), 'close'))
  return { url: `http://127.0.0.1:${port}`, seen, [Symbol.asyncDispose]: dispose }
}

/** One token a character. */
function count(event: string, { read, wrote, fresh }: { read: number; wrote: number; fresh: number }): string {
  const usage = { input_tokens: fresh, cache_read_input_tokens: read, cache_creation_input_tokens: wrote }
  return event.replace(
    /"usage":\{"input_tokens":\d+,"cache_creation_input_tokens":\d+,"cache_read_input_tokens":\d+/,
    () => `"usage":${JSON.stringify(usage).slice(0, -1)}`,
  )
}

const anthropic = protocolOf('anthropic')

describe('the cache of Anthropic', () => {
  const ask = async (env: Record<string, string> = {}) => {
    await using server = await startCachingServer(anthropic)
    const asked = await askModel(createManualTime().deps, settingsOf(anthropic, server.url, env))
    return { asked, seen: server.seen }
  }

  it('is read by the second step up to where the first one ended', async () => {
    const { asked, seen } = await ask()

    const [first, second] = seen
    expect(first).toMatchObject({ marks: 3, read: 0, fresh: 0 })
    expect(second).toMatchObject({ marks: 3, read: first?.wrote, fresh: 0 })
    const price = findPrice(anthropic.model)
    const written = ((first?.wrote ?? 0) + (second?.wrote ?? 0)) * 3.75
    expect(price).toMatchObject({ cachedInput: 0.3, cacheWrite: 3.75 })
    expect(asked.end?.costUsd).toBeCloseTo((written + (second?.read ?? 0) * 0.3 + 60 * 15) / 1_000_000, 10)
  })

  it('is not used when it is turned off', async () => {
    const { seen } = await ask({ DOCENT_PROMPT_CACHING: 'false' })

    expect(seen.map(({ marks }) => marks)).toEqual([0, 0])
  })

  it('costs at most what was reserved, also with a price from the settings', () => {
    const price = findPrice('anthropic/new', parsePrices('anthropic/new=4:20'))
    const bounds = { usd: 10, tokens: 1, promptTokens: 100_000, isPromptCut: false }
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'x'.repeat(1_000) }] }]

    const fitted = fitCall({ prompt, maxOutputTokens: 100 }, bounds, price, 'anthropic/new')

    const reserved = fitted === null ? null : priceTokens(price, fitted).usd
    expect(reserved).toBeCloseTo(((fitted?.inputTokens ?? 0) * 5 + 100 * 20) / 1_000_000, 10)
  })
})

describe('other caches', () => {
  let server: RecordedServer
  beforeAll(async () => {
    server = await startRecordedServer()
  })
  afterAll(() => server.close())

  const ask = async (protocol: Protocol, env: Record<string, string> = {}) => {
    const events = ['tool-call', 'text'].map((name) => readRecording(protocol, name))
    server.replyWith(protocol.framing, ...events.map((replay) => ({ type: 'stream' as const, events: replay })))
    await askModel(createManualTime().deps, settingsOf(protocol, server.url, env))
    return server.requests.map(({ body }) => body)
  }

  it('of Bedrock get marks at places that the next call repeats', async () => {
    const [first, second] = await ask(protocolOf('amazon-bedrock'))

    const marks = (body: unknown) => JSON.stringify(body).match(/"cachePoint"/g)?.length
    expect([marks(first), marks(second)]).toEqual([3, 3])
    const strip = (body: unknown) => JSON.stringify(body).replaceAll(/,?\{"cachePoint":\{"type":"default"\}\}/g, '')
    expect(strip(second?.['messages'])).toContain(strip(first?.['messages']).slice(1, -1))
    expect(strip(second?.['system'])).toBe(strip(first?.['system']))
  })

  it('of Bedrock get no marks with a model that refuses them', async () => {
    const protocol = { ...protocolOf('amazon-bedrock'), model: 'amazon-bedrock/meta.llama4-maverick-17b-instruct-v1:0' }

    expect(JSON.stringify(await ask(protocol))).not.toContain('cachePoint')
  })

  it.each(['openai', 'openai-chat', 'azure', 'azure-chat', 'mistral'] as const)(
    'of %s are reached by a name that the calls of a conversation share',
    async (provider) => {
      const named = await ask(protocolOf(provider))
      const unnamed = await ask(protocolOf(provider), { DOCENT_PROMPT_CACHING: 'false' })

      const [first, second] = named.map((body) => body['prompt_cache_key'])
      expect(first).toMatch(/^[\w-]{32}$/)
      expect(second).toBe(first)
      expect(unnamed.map((body) => body['prompt_cache_key'])).toEqual([undefined, undefined])
    },
  )

  it('of OpenAI-compatible servers are reached by the same name, where the settings say that they know it', async () => {
    const protocol = protocolOf('openai-compatible')
    const [first, second] = await ask(protocol, {
      DOCENT_MODEL_OPTIONS: JSON.stringify({ [protocol.model]: { promptCacheKey: true } }),
    })

    expect(first?.['prompt_cache_key']).toMatch(/^[\w-]{32}$/)
    expect(second?.['prompt_cache_key']).toBe(first?.['prompt_cache_key'])
  })

  it('of unknown servers are not asked for, because some refuse fields that they do not know', async () => {
    expect(JSON.stringify(await ask(protocolOf('openai-compatible')))).not.toContain('cache')
  })
})

it('sends the encrypted reasoning of OpenAI back with the call that it led to', async () => {
  const protocol = protocolOf('openai')
  const thought = readRecording(protocol, 'reasoning')
    .filter((event) => event.includes('rs_1'))
    .slice(0, -1)
  const [created = '', started = '', ...call] = readRecording(protocol, 'tool-call')
  const server = await startRecordedServer()
  server.replyWith(
    protocol.framing,
    { type: 'stream', events: [created, started, ...thought, ...call] },
    { type: 'stream', events: readRecording(protocol, 'text') },
  )

  await askModel(createManualTime().deps, settingsOf(protocol, server.url))

  const input = server.requests[1]?.body['input'] as { type?: string }[] // As OpenAI takes it.
  const place = input.findIndex(({ type }) => type === 'reasoning')
  expect(input[place]).toMatchObject({ encrypted_content: 'c2VhbGVk' })
  expect(input[place + 1]).toMatchObject({ type: 'function_call', call_id: 'call_port' })
  await server.close()
})
