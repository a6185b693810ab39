import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { describe, expect, it } from 'vitest'
import type { AppEnv } from '../app-env.ts'
import { cacheableReplies } from './cacheable-replies.ts'
import { CompressedBodies } from './compressed-bodies.ts'

const long = 'All work and no play. '.repeat(200)
const kept = { 'cache-control': 'no-cache' }

interface Sent {
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  status?: ContentfulStatusCode
  headers?: Record<string, string>
  request?: Record<string, string>
  method?: string
}

async function send({ body = long, status = 200, headers = kept, request = {}, method = 'GET' }: Sent = {}) {
  const app = new Hono<AppEnv>()
  app.use(cacheableReplies())
  app.on(['GET', 'POST'], '/', (c) => c.body(body as string, status, { 'content-type': 'text/html', ...headers }))
  const response = await app.request('/', { method, headers: request })
  return {
    response,
    encoding: response.headers.get('content-encoding'),
    bytes: new Uint8Array(await response.arrayBuffer()),
  }
}

const accepting = (encoding: string) => ({ 'accept-encoding': encoding })

function streamOf(...parts: string[]): ReadableStream<Uint8Array> {
  const left = [...parts]
  return new ReadableStream({
    pull(controller) {
      const part = left.shift()
      if (part === undefined) controller.close()
      else controller.enqueue(new TextEncoder().encode(part))
    },
  })
}

describe('a publicly cacheable reply', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('is sent as %s to who takes it', async (encoding, unpack) => {
    const { response, ...sent } = await send({ request: accepting(encoding) })

    expect(sent.encoding).toBe(encoding)
    expect(unpack(sent.bytes).toString()).toBe(long)
    expect(sent.bytes.byteLength).toBeLessThan(200)
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    expect(response.headers.get('etag')).toMatch(/^W\/"[\w-]{22}"$/)
  })

  it('has the same tag in every encoding, and is not sent again to clients that present any form of it', async () => {
    const etags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (encoding) =>
        (await send({ request: accepting(encoding) })).response.headers.get('etag'),
      ),
    )
    const [etag = ''] = etags.map(String)

    const statuses = []
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*', 'W/"other"', etag.replaceAll('"', '')]) {
      const { response, bytes } = await send({ request: { 'if-none-match': known, ...accepting('br') } })
      statuses.push([response.status, bytes.byteLength > 0, response.headers.get('vary')])
    }

    expect(new Set(etags).size).toBe(1)
    expect(statuses.map(([status]) => status)).toEqual([304, 304, 304, 304, 200, 200])
    expect(statuses[0]).toEqual([304, false, 'Accept-Encoding'])
  })

  it('keeps the ETag and Vary that its route set', async () => {
    const headers = { ...kept, etag: '"own"', vary: 'Accept' }

    const packed = await send({ headers, request: accepting('gzip') })
    const plain = await send({ headers })
    const again = await send({ headers, request: { 'if-none-match': 'W/"own"' } })

    expect(packed.response.headers.get('etag')).toBe('W/"own"')
    expect(packed.response.headers.get('vary')).toBe('Accept, Accept-Encoding')
    expect(plain.response.headers.get('etag')).toBe('"own"')
    expect(again.response.status).toBe(304)
    expect(again.response.headers.get('content-type')).toBeNull()
  })

  it('has the same headers for HEAD as for GET', async () => {
    const got = await send({ request: accepting('br') })
    const asked = await send({ request: accepting('br'), method: 'HEAD' })

    expect(asked.bytes.byteLength).toBe(0)
    for (const name of ['content-encoding', 'etag', 'vary', 'content-type']) {
      expect(asked.response.headers.get(name)).toBe(got.response.headers.get(name))
    }
  })

  it('is compressed while it is generated, if it is streamed', async () => {
    const packed = await send({ body: streamOf(long, 'and', long), request: accepting('br') })
    const plain = await send({ body: streamOf(long, 'and', long) })

    expect(brotliDecompressSync(packed.bytes).toString()).toBe(`${long}and${long}`)
    expect(new TextDecoder().decode(plain.bytes)).toBe(`${long}and${long}`)
  })

  it('stops being generated when the reader disconnects', async () => {
    const cancelled = Promise.withResolvers<void>()
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      cancel: () => cancelled.resolve(),
    })
    const app = new Hono<AppEnv>()
    app.use(cacheableReplies())
    app.get('/', (c) => c.body(body, 200, { 'content-type': 'text/plain', ...kept }))

    const response = await app.request('/', { headers: accepting('gzip') })
    await response.body?.cancel()

    await expect(cancelled.promise).resolves.toBeUndefined()
  })
})

describe('a reply is sent unchanged', () => {
  it.each<[string, Sent]>([
    ['that may hold a secret', { headers: { 'cache-control': 'private, no-store' } }],
    ['that says nothing of being kept', { headers: {} }],
    ['that sets a cookie', { headers: { ...kept, 'set-cookie': 'a=1' } }],
    ['that nobody may change', { headers: { 'cache-control': 'public, no-transform' } }],
    ['that streams events', { headers: { ...kept, 'content-type': 'text/event-stream' } }],
    ['that is packed already', { headers: { ...kept, 'content-encoding': 'zstd' } }],
    ['that is an image', { headers: { ...kept, 'content-type': 'image/png' } }],
    ['that is short', { body: 'short' }],
    ['that is an error', { status: 404 }],
    ['to a POST', { method: 'POST' }],
    ['to who takes no encoding', { request: {} }],
  ])('%s', async (_, sent) => {
    const { encoding, bytes } = await send({ request: accepting('br, gzip'), ...sent })

    expect(encoding).toBe(sent.headers?.['content-encoding'] ?? null)
    expect(new TextDecoder().decode(bytes)).toBe(sent.body ?? long)
  })
})

describe('compressed copies', () => {
  const bodies = ['a', 'b', 'c'].map((text) => new TextEncoder().encode(text.repeat(5_000)))

  it('are made once, even for concurrent requests', async () => {
    const copies = new CompressedBodies()
    const [body = new Uint8Array()] = bodies

    const [first, second] = await Promise.all([copies.find(body, 'a', 'br'), copies.find(body, 'a', 'br')])

    expect(second).toBe(first)
    expect(await copies.find(body, 'a', 'br')).toBe(first)
  })

  it('take bounded memory; the least recently used is evicted first', async () => {
    const copies = new CompressedBodies(100)
    const made = []
    for (const [index, body] of bodies.entries()) made.push(await copies.find(body, String(index), 'gzip'))
    const size = made[0]?.byteLength ?? 0

    expect(size).toBeGreaterThan(34)
    expect(await copies.find(bodies[2] ?? new Uint8Array(), '2', 'gzip')).toBe(made[2])
    expect(await copies.find(bodies[0] ?? new Uint8Array(), '0', 'gzip')).not.toBe(made[0])
  })
})
