import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { httpFetch } from '../../base/http-fetch.ts'
import { boundReply, replyBounds } from './bounded-reply.ts'

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

it('of a stream is not read during a pause, and what has arrived by then is read together', async () => {
  const began = Promise.withResolvers<ServerResponse>()
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(eventOf(1))
    began.resolve(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const [paused, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const pauses = [undefined, paused.promise]
  const pace = { startStream: () => () => pauses.shift() }
  const reply = boundReply(await httpFetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), pace)
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader() // A reply with a body.
  const read = async () => Buffer.from((await reader.read()).value ?? []).toString()

  const first = await read()
  const next = read()
  const response = await began.promise
  for (let piece = 0; piece < 10; piece++) response.write(eventOf(1))
  response.end(() => ended.resolve())
  await ended.promise
  // What is written has been received some turns of the event loop later.
  await new Promise((resolve) => setTimeout(resolve, 200))
  paused.resolve()

  expect([first, await next]).toEqual([eventOf(1), eventOf(1).repeat(10)])
})
