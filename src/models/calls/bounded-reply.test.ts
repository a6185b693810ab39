import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { boundReply, replyBounds } from './bounded-reply.ts'
import { ReadingPace } from './reading-pace.ts'

let server: ReturnType<typeof createServer>
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

/** Sends until the given size is reached or the connection is closed. */
interface Sending {
  type?: string
  status?: number
  piece: string
  bytes: number
}

async function ask({ type = 'text/event-stream', status = 200, piece, bytes }: Sending) {
  const sent = { bytes: 0, isClosed: false }
  const closed = Promise.withResolvers<void>()
  const write = (response: ServerResponse): void => {
    while (sent.bytes < bytes && !response.destroyed) {
      sent.bytes += piece.length
      if (!response.write(piece)) return void response.once('drain', () => write(response))
    }
    response.end()
  }
  server = createServer((_, response) => {
    response.on('error', () => undefined)
    response.on('close', () => {
      sent.isClosed = !response.writableFinished
      closed.resolve()
    })
    response.writeHead(status, { 'content-type': type })
    write(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const response = boundReply(await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  const text = await response.text().catch((error: unknown) => error)
  await closed.promise
  return { text, sent, status: response.status }
}

const mebibyte = 1_048_576
const eventOf = (bytes: number) => `data: ${'x'.repeat(bytes)}\n\n`

describe('a reply of a provider', () => {
  it.each([
    ['one line', 'x'.repeat(65_536)],
    ['lines of one event', `data: ${'x'.repeat(1_000)}\n`],
    ['lines that end as on Windows', `data: ${'x'.repeat(1_000)}\r\n`],
    ['comments', ': still here\n'],
  ])('of an endless event, %s, is ended at its bound, and its connection is closed', async (_, piece) => {
    const { text, sent } = await ask({ piece, bytes: 150 * mebibyte })

    expect(text).toMatchObject({ name: 'ReplyTooLongError' })
    expect(sent.isClosed).toBe(true)
    // The socket buffers of both sides come on top.
    expect(sent.bytes).toBeLessThan(replyBounds.eventBytes + 12 * mebibyte)
  })

  it.each([
    ['a stream', 'text/event-stream', eventOf(900_000)],
    ['a stream as Windows writes it', 'text/event-stream', `data: ${'x'.repeat(900_000)}\r\n\r\n`],
    ['JSON', 'application/json', 'x'.repeat(65_536)],
  ])('is whole as long as it stays within its bounds: %s', async (_, type, piece) => {
    const { text, sent } = await ask({ type, piece, bytes: 8 * mebibyte })

    expect(String(text)).toHaveLength(sent.bytes)
  })

  it.each([
    ['a stream', 'text/event-stream', eventOf(10_000)],
    ['JSON', 'application/json', 'x'.repeat(65_536)],
  ])('that does not end is ended at its bound: %s', async (_, type, piece) => {
    const { text, sent } = await ask({ type, piece, bytes: 150 * mebibyte })

    expect(text).toMatchObject({ name: 'ReplyTooLongError' })
    expect(sent.isClosed).toBe(true)
    expect(sent.bytes).toBeLessThan(replyBounds.replyBytes + 12 * mebibyte)
  })

  it('that is an error is read up to its bound, and keeps its status', async () => {
    const { text, sent, status } = await ask({
      type: 'application/json',
      status: 429,
      piece: 'x'.repeat(10_000),
      bytes: 50 * mebibyte,
    })

    expect({ status, length: String(text).length }).toEqual({ status: 429, length: replyBounds.errorBytes })
    expect(sent.isClosed).toBe(true)
    expect(sent.bytes).toBeLessThan(12 * mebibyte)
  })
})

it('of a stream is read in larger pieces while the process is busy', async () => {
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let left = 40
    const timer = setInterval(() => {
      response.write(eventOf(1))
      if (--left === 0) {
        clearInterval(timer)
        response.end()
      }
    }, 5)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const busy = new ReadingPace({
    now: () => performance.now(),
    readLoop: () => ({ idle: 0, active: 1, utilization: 1 }),
  })
  // The load is measured from the first tenth of a second on.
  await new Promise((resolve) => setTimeout(resolve, 110))
  const { body } = boundReply(await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), busy)
  const chunks: string[] = []
  for await (const chunk of body ?? []) chunks.push(Buffer.from(chunk).toString())

  expect(chunks.join('')).toBe(eventOf(1).repeat(40))
  // The first pieces come one by one, the 36 others at least five at a time.
  expect(chunks.length).toBeLessThan(13)
})
