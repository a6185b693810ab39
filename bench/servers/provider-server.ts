import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writePieces } from '../prose.ts'
import { serveMeasurements } from './measured-server.ts'

// A provider of models that speaks the chat completions protocol: answers with as many pieces as the question asks for,
// `(420 pieces, 2 ms)`, the first after the time that a quick model takes, the others at that pace.

const firstPieceMs = 40
const wanted = /\((\d+) pieces, (\d+) ms\)/

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const [, pieces = 1, intervalMs = 2] = wanted.exec(Buffer.concat(chunks).toString()) ?? []
    void stream(response, Number(pieces), Number(intervalMs))
  })
})

async function stream(response: ServerResponse, pieces: number, intervalMs: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  await wait(firstPieceMs)
  for (const content of writePieces(pieces)) {
    if (response.destroyed) return
    response.write(frame({ delta: { content }, finish_reason: null }))
    await wait(intervalMs)
  }
  response.write(frame({ delta: {}, finish_reason: 'stop' }))
  response.end('data: [DONE]\n\n')
}

function frame(choice: object): string {
  const choices = [{ index: 0, ...choice }]
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'paced', choices })}\n\n`
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

server.listen(0, '127.0.0.1', () => serveMeasurements((server.address() as AddressInfo).port)) // A TCP server has no other.
