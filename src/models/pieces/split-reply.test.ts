import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatModel, ChatStreamPart } from '../chat-model.ts'
import { anthropicPieces, chatPieces, geminiPieces, type PieceProtocol, responsesPieces } from './piece-protocols.ts'
import { divideReplies, readPiecesDirectly } from './read-pieces-directly.ts'

// The packages are the measure: whatever a provider sends, both ways give the same parts.

interface Way {
  name: string
  protocol: PieceProtocol
  open(send: typeof fetch): ChatModel
  /** Event data; other lines begin with a colon. */
  events: readonly string[]
}

/** More with PIECE_RUNS=5000. */
const runs = Number(process.env['PIECE_RUNS'] ?? 60)

const address = { apiKey: 'key', baseURL: 'http://provider.test/v1' }
const json = (value: unknown) => JSON.stringify(value)

const chat = (delta: object, choice: object = {}, chunk: object = {}) =>
  json({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, ...choice }],
    ...chunk,
  })

const call = (index: number, id: string | null, name: string | null, args: string) =>
  chat({
    tool_calls: [{ index, ...(id && { id, type: 'function' }), function: { ...(name && { name }), arguments: args } }],
  })

const chatEvents = [
  chat({ role: 'assistant', content: '' }),
  chat({ content: 'Set ' }),
  chat({ content: 'Set ' }),
  chat({ content: '**PÖRT** 👍' }, { finish_reason: null, logprobs: null }, { usage: null, system_fingerprint: 'f' }),
  chat({ role: 'assistant', content: 'x', tool_calls: [] }),
  chat({ content: 'both', reasoning_content: 'thought' }),
  chat({ reasoning_content: 'Hm' }),
  chat({ refusal: 'Set ' }),
  chat({ content: [{ type: 'text', text: 'list' }] }),
  call(0, 'call_1', 'search', ''),
  call(0, null, null, '{"query":"a"}'),
  chat({ content: 'last' }, { finish_reason: 'stop' }),
  chat({}, { finish_reason: 'tool_calls' }),
  chat({ content: 'n' }, { logprobs: { content: [{ token: 'n', logprob: -1, top_logprobs: [] }], refusal: null } }),
  json({ id: 'c1', choices: [], usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 } }),
  json({ error: { message: 'overloaded', type: 'server_error', code: 'overloaded', param: null } }),
  '{"choices":',
  ': keep-alive',
  '[DONE]',
]

const anthropic = (type: string, fields: object = {}) => json({ type, ...fields })
const delta = (index: number, fields: object) => anthropic('content_block_delta', { index, delta: fields })

const anthropicEvents = [
  anthropic('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  anthropic('content_block_start', { index: 1, content_block: { type: 'thinking', thinking: '' } }),
  anthropic('content_block_start', {
    index: 2,
    content_block: { type: 'tool_use', id: 't', name: 'search', input: {} },
  }),
  delta(0, { type: 'text_delta', text: 'Set ' }),
  delta(0, { type: 'text_delta', text: 'Set ' }),
  delta(0, { type: 'text_delta', text: '' }),
  delta(1, { type: 'thinking_delta', thinking: 'Hm' }),
  delta(1, { type: 'thinking_delta', thinking: ' so' }),
  delta(1, { type: 'signature_delta', signature: 'c2ln' }),
  delta(2, { type: 'input_json_delta', partial_json: '{"query":"a"}' }),
  anthropic('content_block_stop', { index: 0 }),
  anthropic('content_block_stop', { index: 1 }),
  anthropic('content_block_stop', { index: 2 }),
  anthropic('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } }),
  anthropic('message_stop'),
  anthropic('ping'),
  anthropic('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
  '{"type":',
  ': keep-alive',
]

const output = (type: string, fields: object) => json({ type: `response.${type}`, sequence_number: 1, ...fields })
const text = (value: string, fields: object = {}) =>
  output('output_text.delta', { item_id: 'm1', output_index: 0, content_index: 0, delta: value, ...fields })
const message = { id: 'm1', type: 'message', status: 'in_progress', role: 'assistant', content: [] }

const responsesEvents = [
  output('created', { response: { id: 'r1', created_at: 1, model: 'm' } }),
  output('output_item.added', { output_index: 0, item: message }),
  output('output_item.added', { output_index: 1, item: { ...message, id: 'm2' } }),
  text('Set '),
  text('Set ', { logprobs: [], obfuscation: 'abc' }),
  text('other', { item_id: 'm2', output_index: 1 }),
  output('output_text.done', { item_id: 'm1', output_index: 0, content_index: 0, text: 'Set ' }),
  output('output_item.done', { output_index: 0, item: { ...message, status: 'completed' } }),
  output('completed', { response: { usage: { input_tokens: 12, output_tokens: 3 } } }),
  json({
    type: 'error',
    sequence_number: 1,
    error: { type: 'server_error', code: 'x', message: 'broke', param: null },
  }),
  '{"type":',
  ': keep-alive',
]

const gemini = (parts: object[], candidate: object = {}, tokens = 1) =>
  json({
    candidates: [{ content: { parts, role: 'model' }, index: 0, ...candidate }],
    usageMetadata: { promptTokenCount: 12, candidatesTokenCount: tokens, totalTokenCount: 12 + tokens },
    modelVersion: 'm',
    responseId: 'r',
  })

const geminiEvents = [
  gemini([{ text: 'Set ' }], {}, 1),
  gemini([{ text: 'Set ' }], {}, 2),
  gemini([{ text: 'PORT' }], {}, 3),
  gemini([{ text: 'Hm', thought: true }], {}, 4),
  gemini([{ text: 'so', thought: true }], {}, 5),
  gemini([{ text: 'signed', thoughtSignature: 'c2ln' }]),
  gemini([{ text: 'one' }, { text: 'two' }]),
  gemini([{ text: '' }]),
  gemini([{ functionCall: { name: 'search', args: { query: 'a' } } }]),
  gemini([{ text: 'end' }], { finishReason: 'STOP' }, 9),
  gemini([{ text: 'safe' }], { safetyRatings: [{ category: 'HARM_CATEGORY_HATE_SPEECH', probability: 'NEGLIGIBLE' }] }),
  json({ usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 7 } }),
  json({ error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } }),
  '{"candidates":',
  ': keep-alive',
]

const ways: Way[] = [
  {
    name: 'chat completions of compatible servers',
    protocol: chatPieces,
    open: (fetch) => createOpenAICompatible({ ...address, name: 'x', includeUsage: true, fetch })('m'),
    events: chatEvents,
  },
  {
    name: 'chat completions of OpenAI',
    protocol: chatPieces,
    open: (fetch) => createOpenAI({ ...address, fetch }).chat('m'),
    events: chatEvents,
  },
  {
    name: 'responses of OpenAI',
    protocol: responsesPieces,
    open: (fetch) => createOpenAI({ ...address, fetch }).responses('m'),
    events: responsesEvents,
  },
  {
    name: 'messages of Anthropic',
    protocol: anthropicPieces,
    open: (fetch) => createAnthropic({ ...address, fetch }).languageModel('m'),
    events: anthropicEvents,
  },
  {
    name: 'Gemini',
    protocol: geminiPieces,
    open: (fetch) => createGoogleGenerativeAI({ ...address, fetch }).languageModel('m'),
    events: geminiEvents,
  },
]

describe.each(ways)('$name', ({ protocol, open, events }) => {
  const askBoth = async (chunks: readonly Uint8Array[], isCut = false) => {
    const send: typeof fetch = () => Promise.resolve(replyWith(chunks, isCut))
    const direct = readPiecesDirectly(open(divideReplies(send)), protocol)
    return { direct: await collect(direct), package: await collect(open(send)) }
  }

  it('gives the same parts for any events, split at any byte', async () => {
    const framed = fc.tuple(fc.constantFrom(...events), fc.constantFrom('\n', '\n', '\r\n')).map(frame)
    const streams = fc.record({
      events: fc.array(framed, { maxLength: 14 }),
      cuts: fc.array(fc.nat(), { maxLength: 8 }),
      isCut: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(streams, async ({ events: sent, cuts, isCut }) => {
        const both = await askBoth(splitAt(Buffer.from(sent.join('')), cuts), isCut)

        expect(comparable(both.direct, both.package)).toEqual(comparable(both.package, both.direct))
      }),
      { numRuns: runs },
    )
  })
})

it('leaves the package out for further pieces of a block', async () => {
  const pieces = Array.from({ length: 50 }, (_, index) => `data: ${chat({ content: `${index} ` })}\n\n`)
  let seen = 0
  const spied: PieceProtocol = { ...chatPieces, write: (...args) => (seen++, chatPieces.write(...args)) }
  const send: typeof fetch = () =>
    Promise.resolve(
      replyWith(
        pieces.map((piece) => Buffer.from(piece)),
        false,
      ),
    )
  const model = createOpenAI({ ...address, fetch: divideReplies(send) }).chat('m')

  const { parts } = await collect(readPiecesDirectly(model, spied))

  expect(parts.filter(({ type }) => type === 'text-delta')).toHaveLength(50)
  expect(seen).toBeLessThan(5)
})

it('makes one part of pieces that arrive together', async () => {
  const [first = '', ...others] = ['a', 'b', 'c', 'd'].map((content) => `data: ${chat({ content })}\n\n`)
  const send: typeof fetch = () => Promise.resolve(replyWith([Buffer.from(first), Buffer.from(others.join(''))], false))
  const model = createOpenAI({ ...address, fetch: divideReplies(send) }).chat('m')

  const { stream } = await readPiecesDirectly(model, chatPieces).doStream({ prompt: [] })

  const deltas: string[] = []
  for await (const part of stream) if (part.type === 'text-delta') deltas.push(part.delta)
  expect(deltas).toEqual(['a', 'bcd'])
})

it('leaves an event to the package that is too long to be a piece, and all after it', async () => {
  const long = 'word '.repeat(5_000)
  const sent = [chat({ content: 'a' }), chat({ content: 'b' }), chat({ content: long }), chat({ content: 'c' })]
  const bytes = Buffer.from(sent.map((data) => `data: ${data}\n\n`).join(''))
  const send: typeof fetch = () => Promise.resolve(replyWith(splitAt(bytes, [150, 400, 20_000]), false))
  const model = createOpenAI({ ...address, fetch: divideReplies(send) }).chat('m')

  const { parts } = await collect(readPiecesDirectly(model, chatPieces))

  expect(parts.flatMap((part) => (part.type === 'text-delta' ? part.delta : [])).join('')).toBe(`ab${long}c`)
})

it('closes the connection when the reader leaves', async () => {
  let reason: unknown = null
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.from(`data: ${chat({ content: 'on ' })}\n\n`)),
    cancel: (given) => {
      reason = given
    },
  })
  const send: typeof fetch = () => Promise.resolve(new Response(body, { headers: eventStream }))
  const model = readPiecesDirectly(createOpenAI({ ...address, fetch: divideReplies(send) }).chat('m'), chatPieces)
  const reader = (await model.doStream({ prompt: [] })).stream.getReader()
  for (let part = 0; part < 20; part++) await reader.read()

  await reader.cancel('left')

  expect(reason).toBe('left')
})

const eventStream = { 'content-type': 'text/event-stream' }

function frame([data, end]: [string, string]): string {
  if (data.startsWith(':')) return `${data}${end}${end}`
  const type = /^\{"type":"([^"]+)"/.exec(data)?.[1]
  return `${type === undefined ? '' : `event: ${type}${end}`}data: ${data}${end}${end}`
}

function splitAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set([0, bytes.length, ...cuts.map((cut) => cut % (bytes.length + 1))])].sort((a, b) => a - b)
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place))
}

function replyWith(chunks: readonly Uint8Array[], isCut: boolean): Response {
  const left = [...chunks]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift()
      if (next !== undefined) controller.enqueue(new Uint8Array(next))
      else if (isCut) controller.error(new Error('The connection broke.'))
      else controller.close()
    },
  })
  return new Response(body, { headers: eventStream })
}

interface Collected {
  parts: ChatStreamPart[]
  failure: string | null
}

async function collect(model: ChatModel): Promise<Collected> {
  const parts: ChatStreamPart[] = []
  try {
    const { stream } = await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] })
    for await (const part of stream) parts.push(withoutMadeUpIds(part))
    return { parts, failure: null }
  } catch (error) {
    return { parts, failure: String(error) }
  }
}

/** Adjacent deltas of a block are as good as one. */
function join(parts: readonly ChatStreamPart[]): ChatStreamPart[] {
  const joined: ChatStreamPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    const isDelta = part.type === 'text-delta' || part.type === 'reasoning-delta'
    if (isDelta && last?.type === part.type && last.id === part.id && !hasMetadata(last, part))
      joined[joined.length - 1] = { ...last, delta: last.delta + part.delta }
    else joined.push(part)
  }
  return joined
}

function hasMetadata(...parts: readonly { providerMetadata?: unknown }[]): boolean {
  return parts.some(({ providerMetadata }) => providerMetadata !== undefined)
}

/** What a package has not said yet when a stream fails is lost, and how much that is depends on the moment. */
function comparable(one: Collected, other: Collected): unknown {
  if (one.failure === null || other.failure === null) return { ...one, parts: join(one.parts) }
  return readText(one).slice(0, readText(other).length)
}

function readText({ parts }: Collected): string {
  return parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
}

/** Some packages name calls of tools by chance. */
function withoutMadeUpIds(part: ChatStreamPart): ChatStreamPart {
  if (part.type === 'tool-call') return { ...part, toolCallId: part.toolCallId.length === 16 ? '' : part.toolCallId }
  const isInput = part.type === 'tool-input-start' || part.type === 'tool-input-delta' || part.type === 'tool-input-end'
  return isInput && part.id.length === 16 ? { ...part, id: '' } : part
}
