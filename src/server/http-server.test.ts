import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { OpenAPIHono } from '@hono/zod-openapi'
import { afterEach, expect, it, vi } from 'vitest'
import type { AppEnv } from './app-env.ts'
import { type ConnectionLimits, type HttpServer, listenOn } from './http-server.ts'

let server: HttpServer
/** Resolves when the server has released its newest long reply. */
let released: Promise<boolean> | null = null
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close({ graceMs: 0, endStreams: () => {} })
})

/** More than the buffers of two sockets hold. */
const longText = 'x'.repeat(32 * 1024 * 1024)

async function start(limits: Partial<ConnectionLimits>): Promise<void> {
  server = await listenOn('127.0.0.1', 0, { checkMs: 10, ...limits })
  const app = new OpenAPIHono<AppEnv>()
  app.get('/long', (c) => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    c.env.outgoing?.once('close', () => resolve(c.env.outgoing?.writableFinished === true))
    released = promise
    return c.text(longText)
  })
  app.get('/where', (c) => c.text(c.req.path + new URL(c.req.url).search))
  app.post('/body', async (c) => c.text(String((await c.req.text()).length)))
  app.onError((_, c) => c.text('', 400))
  server.handle(app)
}

async function open(text: string): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

async function readToEnd(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  // Not by `once` of node:events, which a reset connection rejects.
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}

it('closes a connection whose request head is not finished in time', async () => {
  await start({ headMs: 50, requestMs: 60_000 })

  const reply = await readToEnd(await open('GET /long HTTP/1.1\r\nHost: x\r\n'))

  expect(reply).toMatch(/^HTTP\/1\.1 408 /)
})

it('closes a connection whose request body is not finished in time', async () => {
  await start({ headMs: 50, requestMs: 100 })

  const reply = await readToEnd(
    await open('POST /body HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\npart'),
  )

  expect(reply).toMatch(/^HTTP\/1\.1 408 /)
})

it('releases a reply that nobody reads', async () => {
  await start({ silenceMs: 100 })
  const socket = await open('GET /long HTTP/1.1\r\nHost: x\r\n\r\n')
  socket.pause()
  await vi.waitFor(() => expect(released).not.toBeNull(), { timeout: 30_000 })

  expect(await released).toBe(false)
})

it('closes connections beyond the bound immediately, and serves the others', async () => {
  await start({ connectionsMax: 2 })
  const [first, second] = [await open(''), await open('')]

  const third = await open('GET /long HTTP/1.1\r\nHost: x\r\n\r\n')

  expect(await readToEnd(third)).toBe('')
  second.end()
  await once(second, 'close')
  first.write('POST /body HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\n\r\nfour')
  expect(await readToEnd(first)).toMatch(/^HTTP\/1\.1 200 [^]*4$/)
})

it.each([
  ['HTTP/1.0 without a host', 'GET /where?a=1 HTTP/1.0\r\n\r\n'],
  ['HTTP/1.0 with a host', 'GET /where?a=1 HTTP/1.0\r\nHost: docs.example.com\r\n\r\n'],
  ['an empty host', 'GET /where?a=1 HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'],
  ['a port that no URL takes', 'GET /where?a=1 HTTP/1.1\r\nHost: x:99999\r\nConnection: close\r\n\r\n'],
  [
    'a host with an underscore and an end',
    'GET /where?a=1 HTTP/1.1\r\nHost: My_Host.example.:80\r\nConnection: close\r\n\r\n',
  ],
  ['a host that is a strange number', 'GET /where?a=1 HTTP/1.1\r\nHost: 01.2.3.4\r\nConnection: close\r\n\r\n'],
  ['a host in IPv6', 'GET /where?a=1 HTTP/1.1\r\nHost: [::1]:4000\r\nConnection: close\r\n\r\n'],
  [
    'a target in absolute form',
    'GET http://docs.example.com/where?a=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  ],
  ['a target in absolute form without a host', 'GET HTTPS://docs.example.com:1/where?a=1 HTTP/1.0\r\n\r\n'],
])('answers %s as any other request', async (_, head) => {
  await start({})

  const reply = await readToEnd(await open(head))

  expect(reply).toMatch(/^HTTP\/1\.1 200 /)
  expect(reply.endsWith('/where?a=1')).toBe(true)
})

it.each([
  'GET /where HTTP/1.1\r\nHost: me@x/y?z\r\nConnection: close\r\n\r\n',
  'GET /a\\b HTTP/1.0\r\n\r\n',
  'GET http://[/where HTTP/1.0\r\n\r\n',
])('refuses %j with the error body', async (head) => {
  await start({})

  const reply = await readToEnd(await open(head))

  expect(reply).toMatch(/^HTTP\/1\.1 400 /)
  expect(reply).toContain('"code":"invalid_request"')
})
