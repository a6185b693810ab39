import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CutProxy, startCutProxy } from '../../chaos/cut-proxy.ts'
import { keyCreatedSchema } from '../../../src/contract/admin.ts'
import { jobsPath } from '../../support/agent-jobs.ts'
import { asAdmin } from '../../support/pull-requests.ts'
import type { Docent } from '../../support/start-docent.ts'
import { startPostgres } from '../../support/start-postgres.ts'
import { type Replicas, startReplicas } from '../../support/start-replicas.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

// A server of its own, which is taken away. One that others use as well is left alone.
const isPrivate = (process.env['TEST_DATABASE_URL'] ?? '') === ''
const database = isPrivate ? await startPostgres({ settings: [] }) : { unavailable: 'TEST_DATABASE_URL is not ours.' }
if ('unavailable' in database) process.stderr.write(`Skipped limits in an outage: ${database.unavailable}\n`)

const [keyMax, searchMax, jobMax, clientsAtOnce] = [30, 20, 4, 40]
const question = {
  fp: 'anonymous',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'What does E-42 mean?' }] }],
}

// Every window begins five minutes before, so that none ends while the tests run.
const startedAt = Date.now()
const clock = { ahead: 0, now: () => Date.UTC(2026, 10, 10, 12, 5) + Date.now() - startedAt + clock.ahead }

describe.skipIf('unavailable' in database)('after an outage of the database, two servers', () => {
  let proxy: CutProxy
  let replicas: Replicas

  beforeAll(async () => {
    const url = new URL('url' in database ? database.url : '')
    proxy = await startCutProxy({ host: url.hostname, port: Number(url.port) })
    url.port = String(proxy.port)
    const env = {
      DOCENT_LIMIT_KEY_PER_MONTH: String(keyMax),
      DOCENT_LIMIT_SEARCH_PER_HOUR: String(searchMax),
      DOCENT_LIMIT_JOBS_PER_HOUR: String(jobMax),
    }
    replicas = await startReplicas({ databaseUrl: url.href, env, clock })
  })
  afterAll(async () => {
    await replicas.stop()
    await proxy.close()
    if ('stop' in database) await database.stop()
  })

  const ask = (docent: Docent) => docent.post('/discovery/v2/assistant/docs/message', question)
  const search = (docent: Docent, headers = {}) => docent.post('/discovery/v1/search/docs', { query: 'paper' }, headers)
  const createJob = (docent: Docent) =>
    docent.post(`${jobsPath}/job`, { prompt: 'Replace "never said" with "said" everywhere' }, asAdmin)

  async function read(response: Promise<Response>): Promise<number> {
    const answered = await response
    await answered.arrayBuffer()
    return answered.status
  }

  /** One after the other, by turns. */
  async function sendInTurn(send: (docent: Docent) => Promise<Response>, count: number): Promise<number[]> {
    const statuses: number[] = []
    for (let sent = 0; sent < count; sent++) statuses.push(await read(send(replicas.servers[sent % 2 === 0 ? 0 : 1])))
    return statuses
  }

  /** @returns How many of many that come at once were let through. */
  async function flood(send: (docent: Docent) => Promise<Response>): Promise<number> {
    const statuses = await Promise.all(
      Array.from({ length: clientsAtOnce }, async (_, client) => {
        for (;;) {
          const status = await read(send(replicas.servers[client % 2 === 0 ? 0 : 1]))
          // A busy machine may have no connection to the database left in time, which counts for nothing.
          if (status !== 503) return status
          await wait(20)
        }
      }),
    )
    expect(statuses.filter((status) => status >= 300 && status !== 429)).toEqual([])
    return statuses.filter((status) => status < 300).length
  }

  async function waitUntilBack(): Promise<void> {
    for (const { url } of replicas.servers) while ((await read(fetch(`${url}/readyz`))) !== 200) await wait(50)
  }

  it('let exactly what is left of the searches through, those counted that went on without it', async () => {
    const before = await sendInTurn((docent) => search(docent), 4)
    proxy.cut()
    const during = await sendInTurn((docent) => search(docent), 6)
    proxy.mend()
    await waitUntilBack()

    const after = await flood((docent) => search(docent))

    expect([...before, ...during].every((status) => status === 200)).toBe(true)
    expect(before.length + during.length + after).toBe(searchMax)
  })

  it('let exactly what is left to one network through', async () => {
    // An hour of which nothing is used.
    clock.ahead += 3_600_000
    const networkPerDay = 12
    const body = { kind: 'assistant', name: 'Website', siteId: 'docs', networkPerDay }
    const made = await replicas.servers[0].post('/admin/v1/keys', body, asAdmin)
    const authorization = `Bearer ${keyCreatedSchema.parse(await made.json()).secret}`
    const searchAsReader = (docent: Docent) => search(docent, { authorization })

    const before = await sendInTurn(searchAsReader, 4)
    proxy.cut()
    const during = await sendInTurn(searchAsReader, 4)
    proxy.mend()
    await waitUntilBack()
    const after = await flood(searchAsReader)

    expect([...before, ...during].every((status) => status === 200)).toBe(true)
    expect(before.length + during.length + after).toBe(networkPerDay)
  })

  it('let exactly what is left of questions and jobs through: none that was refused counts, and none that had ended is forgotten', async () => {
    const before = [...(await sendInTurn(ask, 6)), ...(await sendInTurn(createJob, 2))]
    // Without a chance to write what is in its memory.
    if ('crash' in database) await database.crash()
    proxy.cut()
    const during = await sendInTurn(ask, 2)
    proxy.mend()
    await waitUntilBack()

    const answers = await flood(ask)
    const jobs = await sendInTurn(createJob, jobMax)

    expect(before).toEqual([200, 200, 200, 200, 200, 200, 201, 201])
    expect(during).toEqual([503, 503])
    expect(answers).toBe(keyMax - 6)
    expect(jobs).toEqual([201, 201, 429, 429])
  })
})
