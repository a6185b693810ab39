import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeCitation } from '../../packages/docent-client/src/testing/make-citation.ts'
import { corsHeaders } from '../../src/server/replies/cors.ts'

const citedText = 'Keys **expire**. They rotate daily.'

const first = makeCitation({ number: '1', start: 0, end: 16, textId: 's0-0', sourceIds: ['p1'] })
const second = makeCitation({ number: '2', start: 17, end: 35, textId: 's0-0', sourceIds: ['p2'] })
const source = (sourceId: string) => ({ type: 'source-url', sourceId, url: `https://d/${sourceId}`, title: sourceId })

/** An answer with two cited sentences, the first of which gets its verdict at the end. */
const frames = [
  { type: 'start', messageId: 'msg_1', messageMetadata: { threadId: 'thread-1' } },
  { type: 'start-step' },
  source('p1'),
  { type: 'text-start', id: 's0-0' },
  { type: 'text-delta', id: 's0-0', delta: citedText.slice(0, 17) },
  { type: 'data-docent-citation', id: 'c1', data: { ...first, verdict: 'pending' } },
  source('p2'),
  { type: 'text-delta', id: 's0-0', delta: citedText.slice(17) },
  { type: 'data-docent-citation', id: 'c2', data: second },
  { type: 'text-end', id: 's0-0' },
  { type: 'data-docent-citation', id: 'c1', data: first },
  { type: 'finish-step' },
  { type: 'finish', messageMetadata: { threadId: 'thread-1', verdict: 'supported', finishReason: 'stop' } },
]

export interface CitedAnswerServer {
  url: string
  close(): Promise<void>
}

/** Answers every question the same, so that tests know where its citations stand. */
export async function startCitedAnswerServer(): Promise<CitedAnswerServer> {
  const server = createServer((request, response) => {
    const { isPreflight, headers } = corsHeaders({
      method: request.method ?? '',
      origin: request.headers.origin ?? null,
      requestedHeaders: request.headers['access-control-request-headers'] ?? null,
    })
    if (isPreflight) return response.writeHead(204, headers).end()
    const events = [...frames.map((frame) => JSON.stringify(frame)), '[DONE]'].map((data) => `data: ${data}\n\n`)
    return response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' }).end(events.join(''))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // A server that listens on a port has an address object.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
