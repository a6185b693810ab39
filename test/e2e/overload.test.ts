import { afterEach, expect, it, vi } from 'vitest'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { createGatedModel } from '../support/gated-model.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { startProxy } from '../support/start-proxy.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const waiting = { timeout: 120_000, interval: 50 }
const message = '/discovery/v2/assistant/docs/message'
const question = {
  fp: 'anonymous',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'What does E-42 mean?' }] }],
}

const endings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

async function start(options: Parameters<typeof startDocent>[0] = {}): Promise<Docent> {
  const docent = await startDocent(options)
  endings.push(() => docent.remove())
  return docent
}

async function expectOverloaded(response: Response): Promise<void> {
  const body = errorBodySchema.parse(await response.json())
  expect({ status: response.status, code: body.code }).toEqual({ status: 503, code: 'overloaded' })
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
}

it('refuses answers beyond what it gives at once with 503, counts them for nothing, and goes on with all else', async () => {
  const model = createGatedModel()
  const docent = await start({ model, env: { DOCENT_ANSWERS_AT_ONCE: '2', DOCENT_LIMIT_KEY_PER_MONTH: '5' } })
  const ask = () => docent.post(message, question)
  const running = [await ask(), await ask()]

  // Two more wait for a place and none is free in time; one more finds the line full and is refused at once.
  const refused = await Promise.all([ask(), ask(), ask()])
  const others = await Promise.all([
    docent.get('/healthz'),
    docent.get('/sites/docs/llms.txt'),
    docent.post('/discovery/v1/search/docs', { query: 'paper' }),
  ])

  for (const response of refused) await expectOverloaded(response)
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200])
  model.open()
  const texts = await Promise.all(running.map((response) => response.text()))
  expect(texts.every((text) => text.includes('second.'))).toBe(true)
  const next = await ask()
  expect(next.headers.get('ratelimit')).toMatch(/^"key";r=2;/)
  await next.text()
})

const database = await startPostgres()
if ('unavailable' in database) process.stderr.write(`Skipped the stuck database: ${database.unavailable}\n`)

it.skipIf('unavailable' in database)(
  'searches on and refuses answers within seconds while its database passes no byte, and answers again after',
  async () => {
    if ('unavailable' in database) return
    const address = new URL(database.url)
    const proxy = await startProxy(Number(address.port))
    endings.push(
      () => database.stop(),
      () => proxy.close(),
    )
    address.port = String(proxy.port)
    address.hostname = '127.0.0.1'
    const docent = await start({ env: { DATABASE_URL: address.href, DOCENT_SECRET_KEY: 'x'.repeat(40) } })
    endings.push(async () => proxy.thaw())
    const search = () => docent.post('/discovery/v1/search/docs', { query: 'paper' })
    const before = await (await search()).json()

    proxy.freeze()
    const [asked, searched, alive, page] = await Promise.all([
      docent.post(message, question),
      search(),
      docent.get('/healthz'),
      docent.get('/sites/docs/llms.txt'),
    ])

    expect({ asked: asked.status, retryAfter: Number(asked.headers.get('retry-after')) > 0 }).toEqual({
      asked: 503,
      retryAfter: true,
    })
    expect(errorBodySchema.parse(await asked.json()).code).toBe('database_unavailable')
    expect([searched.status, alive.status, page.status]).toEqual([200, 200, 200])
    expect(await searched.json()).toEqual(before)
    expect((await docent.get('/readyz')).status).toBe(503)
    proxy.thaw()
    await vi.waitFor(async () => {
      const response = await docent.post(message, question)
      await response.text()
      expect(response.status).toBe(200)
    }, waiting)
  },
)
