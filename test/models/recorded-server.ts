import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeAmazonFrame } from './amazon-frame.ts'
import { setImmediate } from 'node:timers/promises'

/**
 * How the events of a protocol are framed: with a line that names their type, as data alone with or without a mark at
 * the end, or in Amazon's binary frames.
 */
export type Framing = 'named' | 'data' | 'data-until-done' | 'amazon'

export const streamTypes: Readonly<Record<Framing, string>> = {
  named: 'text/event-stream',
  data: 'text/event-stream',
  'data-until-done': 'text/event-stream',
  amazon: 'application/vnd.amazon.eventstream',
}

/** What the server does with one request. */
export type Reply =
  /** Streams events: whole, cut off without an end, or left open. */
  | { type: 'stream'; events: readonly string[]; end?: 'whole' | 'cut' | 'open' }
  /** Bytes with status 200, in chunks if asked. */
  | { type: 'raw'; bytes: Uint8Array; headers: Record<string, string>; chunkBytes?: number; isCut?: boolean }
  | { type: 'status'; status: number; body: string; headers?: Record<string, string> }
  /** Takes the request and never says a word. */
  | { type: 'silence' }
  /** Closes the connection at once. */
  | { type: 'hang-up' }

export interface SeenRequest {
  path: string
  headers: IncomingMessage['headers']
  /** As it came. */
  text: string
  body: Record<string, unknown>
}

export interface RecordedServer {
  url: string
  readonly requests: SeenRequest[]
  /** One reply for each request; the last one serves every further request. Forgets the requests before. */
  replyWith(framing: Framing, ...replies: Reply[]): void
  close(): Promise<void>
}

/** A provider on this machine that replays recorded traffic. */
export async function startRecordedServer(): Promise<RecordedServer> {
  const requests: SeenRequest[] = []
  let framing: Framing = 'data'
  let replies: readonly Reply[] = []
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    void answer(request, response)
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push({ path: request.url ?? '', headers: request.headers, ...(await readBody(request)) })
    const reply = replies[Math.min(requests.length, replies.length) - 1]
    await play(reply ?? { type: 'status', status: 404, body: '{}' }, framing, response)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // It listens on a port, not on a pipe.
    requests,
    replyWith(chosen, ...given) {
      framing = chosen
      replies = given
      requests.length = 0
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Pick<SeenRequest, 'text' | 'body'>> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  return { text, body: JSON.parse(text) as Record<string, unknown> } // Provider packages send JSON objects.
}

async function play(reply: Reply, framing: Framing, response: ServerResponse): Promise<void> {
  if (reply.type === 'silence') return
  if (reply.type === 'hang-up') return void response.destroy()
  if (reply.type === 'status') {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    return void response.end(reply.body)
  }
  if (reply.type === 'raw') return playRaw(reply, response)
  response.writeHead(200, { 'content-type': streamTypes[framing] })
  response.flushHeaders()
  for (const event of reply.events) await writeInHalves(response, frame(event, framing))
  if (reply.end === 'open') return
  if (reply.end === 'cut') return void response.destroy()
  response.end(framing === 'data-until-done' ? 'data: [DONE]\n\n' : '')
}

async function playRaw(
  { bytes, headers, chunkBytes = Math.max(1, bytes.length), isCut }: Extract<Reply, { type: 'raw' }>,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, headers)
  response.flushHeaders()
  for (let place = 0; place < bytes.length; place += chunkBytes) {
    response.write(bytes.subarray(place, place + chunkBytes))
    await setImmediate()
  }
  if (isCut === true) response.destroy()
  else response.end()
}

/** Networks do not cut where events end. */
async function writeInHalves(response: ServerResponse, bytes: Buffer): Promise<void> {
  const middle = Math.floor(bytes.length / 2)
  response.write(bytes.subarray(0, middle))
  await setImmediate()
  response.write(bytes.subarray(middle))
  await setImmediate()
}

/** An event as it is sent. */
export function frame(event: string, framing: Framing): Buffer {
  if (framing === 'amazon') return encodeAmazonFrame(event)
  const name = framing === 'named' ? /"type"\s*:\s*"([^"]+)"/.exec(event)?.[1] : undefined
  return Buffer.from(`${name === undefined ? '' : `event: ${name}\n`}data: ${event}\n\n`)
}
