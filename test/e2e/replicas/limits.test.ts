import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { keyCreatedSchema } from '../../../src/contract/admin.ts'
import { jobsPath } from '../../support/agent-jobs.ts'
import { asAdmin } from '../../support/pull-requests.ts'
import type { Docent } from '../../support/start-docent.ts'
import { startPostgres } from '../../support/start-postgres.ts'
import { type Replicas, startReplicas } from '../../support/start-replicas.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const database = await startPostgres()
if ('unavailable' in database) process.stderr.write(`Skipped limits of replicas: ${database.unavailable}\n`)

const clientsAtOnce = 200
const question = {
  fp: 'anonymous',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'What does E-42 mean?' }] }],
}

// Every window begins five minutes before, so that none ends while the tests run.
const startedAt = Date.now()
const clock = { ahead: 0, now: () => Date.UTC(2026, 10, 10, 12, 5) + Date.now() - startedAt + clock.ahead }

describe.skipIf('unavailable' in database)('limits, asked for by 200 clients of two servers at the same time', () => {
  let replicas: Replicas

  beforeAll(async () => {
    const env = {
      DOCENT_LIMIT_IP_PER_DAY: '20',
      DOCENT_LIMIT_KEY_PER_MONTH: '40',
      DOCENT_LIMIT_ORG_PER_HOUR: '70',
      DOCENT_LIMIT_SEARCH_PER_HOUR: '25',
      DOCENT_LIMIT_JOBS_PER_HOUR: '10',
      DOCENT_TRUST_PROXY: '1',
    }
    replicas = await startReplicas({ databaseUrl: 'url' in database ? database.url : '', env, clock })
  })
  afterAll(async () => {
    await replicas.stop()
    if ('stop' in database) await database.stop()
  })

  /** Status codes and how many requests were answered with each. */
  async function countStatuses(send: (docent: Docent, client: number) => Promise<Response>) {
    const statuses = await Promise.all(
      Array.from({ length: clientsAtOnce }, async (_, client) => {
        for (;;) {
          const response = await send(replicas.servers[client % 2 === 0 ? 0 : 1], client)
          await response.arrayBuffer()
          // A busy machine may have no connection to the database left in time, which counts for nothing.
          if (response.status !== 503) return response.status
        }
      }),
    )
    return Object.fromEntries(
      Map.groupBy(statuses, (status) => status)
        .entries()
        .map(([status, { length }]) => [status, length]),
    )
  }

  const ask = (docent: Docent, headers: Record<string, string>) =>
    docent.post('/discovery/v2/assistant/docs/message', question, headers)
  const from = (client: number) => ({ 'x-forwarded-for': `198.51.${client >> 8}.${client & 255}` })

  it('of one address, of one key and of the organization let through exactly what is left', async () => {
    const body = { kind: 'assistant', name: 'Second', siteId: 'docs' }
    const made = await replicas.servers[0].post('/admin/v1/keys', body, asAdmin)
    const { secret } = keyCreatedSchema.parse(await made.json())

    const ofAddress = await countStatuses((docent) => ask(docent, { 'x-forwarded-for': '203.0.113.9' }))
    const ofKey = await countStatuses((docent, client) => ask(docent, from(client)))
    const ofOrganization = await countStatuses((docent, client) =>
      ask(docent, { ...from(client), authorization: `Bearer ${secret}` }),
    )

    expect(ofAddress).toEqual({ 200: 20, 429: 180 })
    // The key has 40, of which the one address took 20; the organization has 70, of which 40 are taken then.
    expect(ofKey).toEqual({ 200: 20, 429: 180 })
    expect(ofOrganization).toEqual({ 200: 30, 429: 170 })
  })

  it('of searches let through exactly the limit', async () => {
    const statuses = await countStatuses((docent, client) =>
      docent.post('/discovery/v1/search/docs', { query: 'paper' }, from(client)),
    )

    expect(statuses).toEqual({ 200: 25, 429: 175 })
  })

  it('of one network let through exactly what the key gives it, and exactly what needs no session', async () => {
    // An hour of which nothing is used, and a minute that has just begun.
    clock.ahead += 3_600_000 - (clock.now() % 60_000)
    const createKey = async (options: object) => {
      const body = { kind: 'assistant', name: 'Website', siteId: 'docs', purpose: 'website', ...options }
      return keyCreatedSchema.parse(await (await replicas.servers[0].post('/admin/v1/keys', body, asAdmin)).json())
        .secret
    }
    const [patient, strict] = [await createKey({ normalPerMinute: 9 }), await createKey({ networkPerDay: 8 })]
    const searchWith = (secret: string) =>
      countStatuses((docent, client) => {
        const from = { 'x-forwarded-for': `2001:db8::${client.toString(16)}`, authorization: `Bearer ${secret}` }
        return docent.post('/discovery/v1/search/docs', { query: 'paper' }, from)
      })

    expect(await searchWith(patient)).toEqual({ 200: 9, 403: 191 })
    expect(await searchWith(strict)).toEqual({ 200: 8, 429: 192 })
  })

  it('of jobs let through exactly the limit', async () => {
    const statuses = await countStatuses((docent, client) =>
      docent.post(
        `${jobsPath}/job`,
        { prompt: 'Replace "never said" with "said" everywhere' },
        { ...asAdmin, ...from(client) },
      ),
    )

    expect(statuses).toEqual({ 201: 10, 429: 190 })
  })
})
