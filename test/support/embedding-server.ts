import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the provider does with one request. */
export type EmbeddingBehaviour =
  | { type: 'answer'; dimensions?: number }
  | { type: 'status'; status: number; headers?: Record<string, string>; message?: string }
  /** Takes the request and never says a word. */
  | { type: 'silence' }
  /** Closes the connection at once. */
  | { type: 'hang-up' }

export interface SeenEmbedding {
  path: string
  authorization: string | null
  model: string
  texts: string[]
}

export interface EmbeddingServer {
  /** With the version, as the settings name it. */
  url: string
  readonly requests: SeenEmbedding[]
  /** From now on; by default every request is answered. */
  behave(choose: (request: SeenEmbedding) => EmbeddingBehaviour): void
  /** Resolves when so many requests have come. */
  waitForRequests(count: number): Promise<void>
  close(): Promise<void>
}

const usualDimensions = 96

/** Words of one meaning: what a real model has learned, in small. */
const meanings: readonly (readonly string[])[] = [
  ['cancel', 'terminate', 'quit', 'leave', 'stop', 'ending'],
  ['subscription', 'plan', 'membership'],
  ['car', 'automobile', 'vehicle'],
]

/** Each word adds to one dimension, words of one meaning to the same; the same text has the same vector everywhere. */
export function embedWords(text: string, dimensions = usualDimensions): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.01)
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    if (word.length < 3) continue
    const meaning = meanings.findIndex((words) => words.includes(word))
    const dimension = meaning >= 0 ? meaning : meanings.length + (hashWord(word) % (dimensions - meanings.length))
    vector[dimension] = (vector[dimension] ?? 0) + 1
  }
  return vector
}

function hashWord(word: string): number {
  let hash = 0x811c9dc5
  for (const char of word) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

/** A provider on this machine that speaks the embeddings protocol of OpenAI, and its own of Google. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const requests: SeenEmbedding[] = []
  const waiting = new Set<() => void>()
  let choose: (request: SeenEmbedding) => EmbeddingBehaviour = () => ({ type: 'answer' })
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    void answer(request, response)
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const seen = await readSeen(request)
    requests.push(seen)
    for (const check of waiting) check()
    reply(seen, choose(seen), response)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, // It listens on a port, not on a pipe.
    requests,
    behave: (next) => void (choose = next),
    waitForRequests: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (requests.length < count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The fields of both protocols; provider packages send JSON objects of these shapes. */
interface EmbeddingBody {
  model?: string
  input?: string[]
  content?: { parts: { text: string }[] }
  requests?: { content: { parts: { text: string }[] } }[]
}

async function readSeen(request: IncomingMessage): Promise<SeenEmbedding> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  const body = JSON.parse(text) as EmbeddingBody
  const contents = body.requests?.map(({ content }) => content) ?? (body.content ? [body.content] : [])
  return {
    path: request.url ?? '',
    authorization: request.headers.authorization ?? (request.headers['x-goog-api-key'] as string | undefined) ?? null,
    model: body.model ?? '',
    texts: body.input ?? contents.map(({ parts }) => parts.map((part) => part.text).join('')),
  }
}

function reply(seen: SeenEmbedding, behaviour: EmbeddingBehaviour, response: ServerResponse): void {
  if (behaviour.type === 'silence') return
  if (behaviour.type === 'hang-up') return void response.destroy()
  if (behaviour.type === 'status') {
    response.writeHead(behaviour.status, { 'content-type': 'application/json', ...behaviour.headers })
    const message = behaviour.message ?? 'Refused by the test.'
    return void response.end(JSON.stringify({ error: { message, type: 'test', code: null } }))
  }
  const vectors = seen.texts.map((text) => embedWords(text, behaviour.dimensions))
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(seen.path.includes(':') ? writeGoogle(vectors) : writeOpenAi(seen.model, vectors)))
}

const writeGoogle = (vectors: number[][]) =>
  vectors.length === 1
    ? { embedding: { values: vectors[0] }, embeddings: [{ values: vectors[0] }] }
    : { embeddings: vectors.map((values) => ({ values })) }

const writeOpenAi = (model: string, vectors: number[][]) => ({
  object: 'list',
  data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  model,
  usage: { prompt_tokens: vectors.length, total_tokens: vectors.length },
})
