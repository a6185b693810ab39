import { gzipSync } from 'node:zlib'
import { OpenAPIHono } from '@hono/zod-openapi'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { AppError } from '../../contract/app-error.ts'
import type { AppEnv } from '../app-env.ts'
import { BodyPlaces, type BodyPlacesOptions } from './body-places.ts'
import { errorStatus } from '../replies/error-status.ts'
import { QuestionThread } from './question-thread.ts'
import { readJson, requireJsonBody, takeQuestion } from './read-json.ts'

const mib = 1024 * 1024
const large = JSON.stringify('x'.repeat(100_000))

function setup(options: Partial<BodyPlacesOptions> = {}, bytesMax = 4 * mib) {
  const app = new OpenAPIHono<AppEnv>()
  const refused: string[] = []
  app.use((c, next) => {
    c.set('clientAddress', '192.0.2.1')
    return next()
  })
  const deps = {
    questionThread: thread,
    bodyPlaces: new BodyPlaces(systemClock, options),
    onLargeBodyRefused: () => void refused.push('refused'),
  }
  app.post('/', requireJsonBody(deps, bytesMax), async (c) => {
    const body = await readJson(c)
    if (body === 'refuse me') throw new AppError('invalid_request', 'No.')
    return c.json({ length: String(body).length, again: await readJson(c).catch((error: Error) => error.message) })
  })
  app.post('/ask', requireJsonBody(deps, bytesMax, 'v2'), async (c) => c.json(await takeQuestion(c, 'v2')))
  app.onError((error, c) => {
    const refusal = error instanceof AppError ? error : new AppError('internal_error', String(error))
    return c.json({ code: refusal.code, message: refusal.message }, errorStatus[refusal.code], refusal.headers)
  })
  const post = (body: BodyInit, headers: Record<string, string> = {}, path = '/') => {
    const announced =
      typeof body === 'string'
        ? { 'content-length': String(Buffer.byteLength(body)) }
        : { 'transfer-encoding': 'chunked' }
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...announced, ...headers }, body }
    return app.request(path, { ...init, duplex: 'half' } as RequestInit)
  }
  return { post, refused }
}

/** A body whose last bytes arrive on demand. */
function slowBody(text: string) {
  const [finished, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  async function* send() {
    const bytes = new TextEncoder().encode(text)
    yield bytes.subarray(0, 90_000)
    held.resolve()
    await finished.promise
    yield bytes.subarray(90_000)
  }
  return { body: toStream(send()), held: held.promise, finish: () => finished.resolve() }
}

function toStream(pieces: AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
  })
}

const thread = new QuestionThread()
afterAll(() => thread.close())
afterEach(() => {
  vi.restoreAllMocks()
})

describe('a question', () => {
  const ask = (text: string, more: object = {}) =>
    JSON.stringify({ fp: 'a', messages: [{ role: 'user', parts: [{ type: 'text', text }] }], ...more })
  const more = { extra: 'x'.repeat(300_000) }

  it('in a large body is read like one in a small body', async () => {
    const { post } = setup()

    const [small, large] = [await post(ask('How?'), {}, '/ask'), await post(ask('How?', more), {}, '/ask')]

    expect(await large.json()).toEqual(await small.json())
  })

  it('in a large body is refused like one in a small body, and is reported', async () => {
    const { post, refused } = setup()
    const faults = [ask(' '), ask('x'.repeat(100_001)), ask('How?', { filter: [] }), `${ask('How?')},`]

    for (const body of faults) {
      const small = await (await post(body, {}, '/ask')).json()
      const large = await (await post(body.replace('{', `{"extra":"${more.extra}",`), {}, '/ask')).json()
      expect(large).toEqual(small)
    }
    expect(refused).toHaveLength(5)
  })
})

describe('a body', () => {
  it('can be read once, so that nothing retains it while an answer streams', async () => {
    const { post } = setup()

    expect(await (await post(large)).json()).toEqual({
      length: 100_000,
      again: 'The body of a request can be read only once.',
    })
  })

  it('is accepted in pieces of any size, even if they split characters', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify('漢😀'.repeat(10_000)))
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
    }

    const { post } = setup()

    expect(await (await post(toStream(pieces()))).json()).toMatchObject({ length: 30_000 })
  })

  it('that is over a bound is never parsed', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const { post } = setup()

    const body = '['.repeat(2 * mib)
    const response = await post(body)

    // The test runner parses JSON of its own in between.
    const parsed = parse.mock.calls.some(([text]) => text === body)
    expect([response.status, parsed]).toEqual([400, false])
    expect(await response.json()).toMatchObject({ code: 'invalid_request' })
  })

  it.each(['gzip', 'br', 'identity, deflate'])('that is compressed with %s is refused as such', async (encoding) => {
    const { post } = setup()

    const response = await post(gzipSync(large), { 'content-encoding': encoding })

    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('uncompressed') as string })
    expect((await post(large, { 'content-encoding': 'Identity' })).status).toBe(200)
  })

  it('of unannounced length is refused as soon as it is too large', async () => {
    const { post } = setup({}, 200_000)
    let sent = 0
    async function* endless() {
      for (;;) {
        sent += 10_000
        yield new Uint8Array(10_000).fill(0x20)
      }
    }

    expect((await post(toStream(endless()))).status).toBe(413)
    expect(sent).toBeLessThan(300_000)
  })
})

describe('large bodies', () => {
  it('wait until a place is free', async () => {
    const { post } = setup({ bytesMax: 5 * mib })
    const slow = slowBody(large)

    const first = post(slow.body)
    await slow.held
    const second = post(large)
    const small = await post('"small"')
    slow.finish()

    expect(await small.json()).toMatchObject({ length: 5 })
    expect([(await first).status, (await second).status]).toEqual([200, 200])
  })

  it('are refused after a bounded wait, with the time by which a place must be free', async () => {
    const { post } = setup({ bytesMax: 5 * mib, waitMsMax: 1, bodyMsMax: 30_000 })
    const slow = slowBody(large)
    const first = post(slow.body)
    await slow.held

    const refused = await post(large)
    slow.finish()

    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([503, 30])
    expect(await refused.json()).toMatchObject({ code: 'overloaded', message: expect.stringContaining('30 seconds') })
    expect((await first).status).toBe(200)
    expect((await post(large)).status).toBe(200)
  })

  it('that arrive too slowly release their place', async () => {
    const { post } = setup({ bytesMax: 5 * mib, bodyMsMax: 1 })

    const late = await post(slowBody(large).body)

    expect(await late.json()).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('took longer'),
    })
    expect((await post(large)).status).toBe(200)
  })

  it('are reported only if they are refused', async () => {
    const { post, refused } = setup({ bytesMax: 5 * mib }, 200_000)
    const cases: [string, number, Record<string, string>?][] = [
      [large, 200],
      ['"refuse me"', 400],
      ['{"small"', 400],
      [`${' '.repeat(70_000)}"refuse me"`, 400],
      [`${large},`, 400],
      ['['.repeat(70_000), 400],
      [JSON.stringify('x'.repeat(300_000)), 413],
      [large, 415, { 'content-type': 'text/plain' }],
    ]

    const seen = []
    for (const [body, , headers] of cases) {
      const before = refused.length
      const { status } = await post(body, headers)
      seen.push([status, refused.length - before])
    }

    expect(seen).toEqual([
      [200, 0],
      [400, 0],
      [400, 0],
      [400, 1],
      [400, 1],
      [400, 1],
      [413, 1],
      [415, 1],
    ])
  })
})
