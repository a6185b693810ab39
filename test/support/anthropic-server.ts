import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { listenLocally } from './listen-locally.ts'

export type Block = Record<string, unknown> & { type?: string }

/** What provider packages send to Anthropic's Messages API. */
export interface MessagesRequest {
  tools?: Block[]
  system?: Block[]
  messages: { role: 'user' | 'assistant'; content: Block[] }[]
  tool_choice?: Block
  max_tokens: number
}

/** What the model does in one step. */
export interface MessagesReply {
  /** Signed, as a thinking model sends it. */
  thinking?: string
  text?: string
  calls?: readonly { tool: string; input: object | string }[]
  stopReason?: 'end_turn' | 'tool_use' | 'max_tokens'
  /** Closes the connection after what was said. */
  breaksOff?: boolean
  /** Says nothing for so long before it begins. */
  waitMs?: number
  /** Says nothing before this is done. */
  waitFor?: Promise<unknown>
  /** Refuses the request. */
  refusal?: { status: number; message: string }
}

/** Tokens of a request, as Anthropic counts them. */
export interface MessagesUse {
  fresh: number
  cacheRead: number
  cacheWrite: number
  output: number
}

export interface AnthropicServer {
  url: string
  readonly requests: MessagesRequest[]
  /** One for each request that was answered. */
  readonly used: MessagesUse[]
  close(): Promise<void>
}

export interface AnthropicServerOptions {
  /** Most input tokens of a request; 200,000 by default. */
  contextTokens?: number
}

const cacheLivesMs = { '5m': 300_000, '1h': 3_600_000 }
const cachedTokensMin = 1_024
const marksMax = 4
/** How many blocks before a mark Anthropic looks for what it has written. */
const blocksBack = 20

/**
 * Anthropic's Messages API over a real socket, with its prompt cache: a beginning of a request is read from the cache if
 * the same bytes were written at a mark before, and requests that the real one refuses are refused.
 */
export async function startAnthropicServer(
  script: (request: MessagesRequest, number: number) => MessagesReply,
  { contextTokens = 200_000 }: AnthropicServerOptions = {},
): Promise<AnthropicServer> {
  const requests: MessagesRequest[] = []
  const used: MessagesUse[] = []
  const cache = new PromptCache()
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await json(request)) as MessagesRequest // Provider packages send this shape.
    requests.push(body)
    const counted = cache.count(body)
    const fault = findFault(body, counted, contextTokens)
    const reply = fault === null ? script(body, requests.length) : { refusal: { status: 400, message: fault } }
    if (reply.refusal !== undefined) return refuse(response, reply.refusal)
    const use = { ...counted, output: estimate(JSON.stringify(reply)) }
    used.push(use)
    await reply.waitFor
    if (reply.waitMs !== undefined) await new Promise((resolve) => setTimeout(resolve, reply.waitMs))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of listEvents(reply, use, requests.length)) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    }
    if (reply.breaksOff === true) setImmediate(() => response.destroy())
    else response.end()
  }
  const { origin, close } = await listenLocally(answer)
  return {
    url: `${origin}/v1`,
    requests,
    used,
    close,
  }
}

function refuse(response: ServerResponse, { status, message }: { status: number; message: string }): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }))
}

/** What the real API refuses. */
function findFault(body: MessagesRequest, { fresh, cacheRead, cacheWrite }: Omit<MessagesUse, 'output'>, most: number) {
  const tokens = fresh + cacheRead + cacheWrite
  if (tokens > most) return `prompt is too long: ${tokens} tokens > ${most} maximum`
  if (listBlocks(body).filter(({ mark }) => mark !== null).length > marksMax) {
    return `A maximum of ${marksMax} blocks with cache_control may be provided.`
  }
  for (const [index, { content }] of body.messages.entries()) {
    const calls = content.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []))
    const next = body.messages[index + 1]?.content ?? []
    const results = next.flatMap((block) => (block.type === 'tool_result' ? [block['tool_use_id']] : []))
    if (JSON.stringify(calls) !== JSON.stringify(results)) {
      return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after.`
    }
  }
  return null
}

interface CacheBlock {
  text: string
  mark: keyof typeof cacheLivesMs | null
}

/** In the order in which they are cached. A changed choice of tools costs the messages, but neither tools nor system. */
function listBlocks({ tools = [], system = [], messages, tool_choice: choice }: MessagesRequest): CacheBlock[] {
  const place = (where: string) => (block: Block) => toCacheBlock(where, block)
  return [
    ...tools.map(place('tool')),
    ...system.map(place('system')),
    ...messages.flatMap(({ role, content }) => content.map(place(`${role} ${JSON.stringify(choice)}`))),
  ]
}

function toCacheBlock(where: string, { cache_control: control, ...block }: Block): CacheBlock {
  const { ttl } = (control ?? {}) as { ttl?: keyof typeof cacheLivesMs } // As the package writes it.
  return { text: `${where} ${JSON.stringify(block)}`, mark: control === undefined ? null : (ttl ?? '5m') }
}

const bytesPerToken = 4

function estimate(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

/** By digests of the real bytes of requests. */
class PromptCache {
  readonly #expiresAt = new Map<string, number>()

  count(body: MessagesRequest): Omit<MessagesUse, 'output'> {
    const blocks = listBlocks(body)
    const ends = digestBeginnings(blocks)
    const marks = [...blocks.keys()].filter((index) => blocks[index]?.mark !== null)
    const cacheRead = Math.max(0, ...marks.map((mark) => this.#findWritten(ends, mark)))
    const marked = ends[marks.at(-1) ?? -1]?.tokens ?? 0
    for (const mark of marks) this.#write(ends[mark], blocks[mark]?.mark ?? '5m')
    const total = ends.at(-1)?.tokens ?? 0
    const cached = marked >= cachedTokensMin ? marked : 0
    return { fresh: total - Math.max(cached, cacheRead), cacheRead, cacheWrite: Math.max(0, cached - cacheRead) }
  }

  #findWritten(ends: readonly Beginning[], mark: number): number {
    for (let index = mark; index >= Math.max(0, mark - blocksBack); index--) {
      const end = ends[index]
      if (end !== undefined && (this.#expiresAt.get(end.digest) ?? 0) > Date.now()) return end.tokens
    }
    return 0
  }

  #write(end: Beginning | undefined, life: keyof typeof cacheLivesMs): void {
    if (end === undefined || end.tokens < cachedTokensMin) return
    this.#expiresAt.set(end.digest, Date.now() + cacheLivesMs[life])
  }
}

interface Beginning {
  digest: string
  /** Tokens of all blocks up to here. */
  tokens: number
}

function digestBeginnings(blocks: readonly CacheBlock[]): Beginning[] {
  const digest = createHash('sha256')
  let tokens = 0
  return blocks.map(({ text }) => {
    digest.update(`${text}\n`)
    tokens += estimate(text)
    return { digest: digest.copy().digest('hex'), tokens }
  })
}

function listEvents({ thinking, text, calls = [], stopReason }: MessagesReply, use: MessagesUse, id: number) {
  const usage = {
    input_tokens: use.fresh,
    cache_read_input_tokens: use.cacheRead,
    cache_creation_input_tokens: use.cacheWrite,
    output_tokens: use.output,
  }
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model: 'claude', content: [], usage }
  const blocks = [
    ...(thinking === undefined ? [] : [thinkingBlock(thinking)]),
    ...(text === undefined ? [] : [textBlock(text)]),
    ...calls.map(({ tool, input }, index) => callBlock(tool, input, `toolu_${id}_${index}`)),
  ]
  const stop = stopReason ?? (calls.length > 0 ? 'tool_use' : 'end_turn')
  return [
    { type: 'message_start', message },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
}

const textBlock = (text: string) => ({ start: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text }] })

const thinkingBlock = (thinking: string) => ({
  start: { type: 'thinking', thinking: '', signature: '' },
  deltas: [
    { type: 'thinking_delta', thinking },
    { type: 'signature_delta', signature: `signed ${thinking.length}` },
  ],
})

/** @param input Text as it stands, where it was cut. */
const callBlock = (name: string, input: object | string, id: string) => ({
  start: { type: 'tool_use', id, name, input: {} },
  deltas: [{ type: 'input_json_delta', partial_json: typeof input === 'string' ? input : JSON.stringify(input) }],
})
