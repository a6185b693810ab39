import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { keyCreatedSchema } from '../../src/contract/admin.ts'
import { adminKey, type Docent, startDocent } from '../support/start-docent.ts'
import { startPostgres } from '../support/start-postgres.ts'

const server = await startPostgres()
if ('unavailable' in server) process.stderr.write(`Skipped the product on PostgreSQL: ${server.unavailable}\n`)

const asAdmin = { authorization: `Bearer ${adminKey}` }
const question = {
  fp: 'anonymous',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'What does E-42 mean?' }] }],
}

describe.skipIf('unavailable' in server)('two processes on one PostgreSQL', () => {
  const running: Docent[] = []
  afterAll(async () => {
    await Promise.all(running.map((docent) => docent.remove()))
    if ('stop' in server) await server.stop()
  }, 30_000)

  async function start(): Promise<Docent> {
    const databaseUrl = 'url' in server ? server.url : ''
    const docent = await startDocent({
      env: { DATABASE_URL: databaseUrl, DOCENT_SECRET_KEY: 'x'.repeat(40), DOCENT_LIMIT_KEY_PER_MONTH: '25' },
    })
    running.push(docent)
    return docent
  }

  it('refuse questions with 503 while somebody has locked a table, and go on searching', async () => {
    const docent = await start()
    const search = () => docent.post('/discovery/v1/search/docs', { query: 'paper' })
    await search()
    const locking = new pg.Client({ connectionString: 'url' in server ? server.url : '' })
    await locking.connect()
    await locking.query('begin; lock table counters in access exclusive mode')

    const lockedAt = performance.now()
    const [found, refused] = await Promise.all([
      search(),
      docent.post('/discovery/v2/assistant/docs/message', question),
    ])
    await locking.end()

    expect(performance.now() - lockedAt).toBeLessThan(20_000)
    expect(found.status).toBe(200)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.json()).toMatchObject({ error: expect.stringContaining('busy or locked') as string })
  })

  it('share keys, limits and threads', async () => {
    const first = await start()
    const second = await startDocent({
      folder: first.folder,
      env: {
        DATABASE_URL: 'url' in server ? server.url : '',
        DOCENT_SECRET_KEY: 'x'.repeat(40),
        DOCENT_LIMIT_KEY_PER_MONTH: '25',
      },
    })
    running.push(second)
    const ask = async (docent: Docent, more: object = {}) => {
      const response = await docent.post('/discovery/v2/assistant/docs/message', { ...question, ...more })
      return { status: response.status, headers: response.headers, text: await response.text() }
    }

    const opened = await ask(first)
    const thread = { threadId: opened.headers.get('x-thread-id'), threadKey: opened.headers.get('x-thread-key') }
    const continued = await ask(second, thread)
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => ask(index % 2 === 0 ? first : second)))

    expect(opened.text).toContain('the paper has run out')
    expect({ status: continued.status, key: continued.headers.get('x-thread-key') }).toEqual({ status: 200, key: null })
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(23)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(17)
  })

  it('see a revocation made by the other within five seconds', async () => {
    const [first, second] = running as [Docent, Docent] // Started above.
    const made = keyCreatedSchema.parse(
      await (await first.post('/admin/v1/keys', { kind: 'assistant', name: 'Leaked', siteId: 'docs' }, asAdmin)).json(),
    )
    const search = (docent: Docent) =>
      docent.post('/discovery/v1/search/docs', { query: 'paper' }, { authorization: `Bearer ${made.secret}` })
    expect((await search(second)).status).toBe(200)

    await first.post(`/admin/v1/keys/${made.id}/revoke`, {}, asAdmin)
    const revokedAt = Date.now()

    expect((await search(first)).status).toBe(401)
    while ((await search(second)).status === 200) await wait(50)
    expect(Date.now() - revokedAt).toBeLessThan(5_000)
  })
})
