import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { httpFetch } from './http-fetch.ts'

let server: ReturnType<typeof createServer>
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A reply that has begun, and both of its ends. */
async function open(signal: AbortSignal | null = null) {
  const began = Promise.withResolvers<ServerResponse>()
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    began.resolve(response)
  })
  const { body } = await httpFetch(url, { method: 'POST', body: '{}', signal })
  return { reader: (body as ReadableStream<Uint8Array>).getReader(), response: await began.promise } // 200 has one.
}

const received = () => new Promise((resolve) => setTimeout(resolve, 100))

it('gives what arrived while nobody read at once, also when the connection breaks after it', async () => {
  const { reader, response } = await open()
  for (const text of ['one ', 'two ', 'three']) {
    response.write(text)
    await received()
  }
  response.destroy()
  await received()

  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('one two three')
  await expect(reader.read()).rejects.toThrow('terminated')
})

it('stops reading from a server that sends more than is asked for', async () => {
  const { reader, response } = await open()
  response.write(Buffer.alloc(64 * 1_048_576))
  for (let wait = 0; wait < 5; wait++) await received()

  expect(response.writableLength).toBeGreaterThan(0)
  await reader.cancel()
})

it('closes the connection when the reply is given up', async () => {
  const { reader, response } = await open()
  const closed = once(response, 'close')

  await reader.cancel()
  await closed

  expect(response.writableFinished).toBe(false)
})

it('rejects with the reason of its signal before and during the reply', async () => {
  const reason = new Error('enough')
  const stop = new AbortController()
  const { reader } = await open(stop.signal)
  const reading = reader.read()

  stop.abort(reason)

  await expect(reading).rejects.toBe(reason)
  await expect(httpFetch('http://127.0.0.1:1', { signal: stop.signal })).rejects.toBe(reason)
})

it('rejects with the reason of its signal when a whole reply is there that nobody has read', async () => {
  const url = await serve((_, response) => response.end('whole'))
  const stop = new AbortController()

  const reply = await httpFetch(url, { signal: stop.signal })
  stop.abort(new Error('Stopped.'))

  await expect(reply.text()).rejects.toThrow('Stopped.')
})

it('fails as fetch does, with the cause, where nobody listens', async () => {
  const url = await serve(() => undefined)
  server.close()
  await once(server, 'close')

  const failed = httpFetch(url)

  await expect(failed).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } })
  await serve(() => undefined)
})

it('keeps connections', async () => {
  const url = await serve((_, response) => response.end('ok'))
  let connections = 0
  server.on('connection', () => connections++)

  for (let call = 0; call < 3; call++) expect(await (await httpFetch(url)).text()).toBe('ok')

  expect(connections).toBe(1)
})
