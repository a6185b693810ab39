import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { fillDisk, freeDisk, mayMountDisks, mountSmallDisk, unmountSmallDisk } from '../chaos/small-disk.ts'
import { askDocent, readTranscript } from '../support/ask.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

const mayMount = mayMountDisks()
if (!mayMount) process.stderr.write('Skipped the full disk: mounting a small one is not allowed here.\n')

const jobs = '/v2/agent/default/job'

describe.skipIf(!mayMount)('a full disk', () => {
  let folder: string
  let docent: Docent
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docent-full-'))
    mountSmallDisk(folder, 64)
    docent = await startDocent({ folder })
    await docent.post('/discovery/v1/search/docs', { query: 'paper' })
  })
  afterAll(async () => {
    freeDisk(folder)
    await docent.stop()
    unmountSmallDisk(folder)
    await rm(folder, { recursive: true, force: true })
  })

  const ask = (text: string) =>
    docent.post('/discovery/v2/assistant/docs/message', {
      fp: 'anonymous',
      messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
    })

  /** Asks until the log of the database has no room left either. */
  async function fillUp(): Promise<void> {
    fillDisk(folder)
    for (;;) {
      const response = await ask(`paper ${'x'.repeat(10_000)}`)
      const text = await response.text()
      if (response.status === 503 || text.includes('"type":"error"')) return
      fillDisk(folder)
    }
  }

  it('refuses what must be stored with a sentence, while search and pages go on, and says so', async () => {
    const kept = await askDocent(docent, 'What does the error E-42 mean?')
    await fillUp()

    const refused = [
      await ask('And now?'),
      await docent.post(jobs, { prompt: 'Write "a" into notes.md' }, asAdmin),
      await docent.post('/admin/v1/keys', { kind: 'admin', name: 'another' }, asAdmin),
      await docent.post('/admin/v1/sites/docs/sync', {}, asAdmin),
    ]
    const served = [
      await docent.post('/discovery/v1/search/docs', { query: 'E-42' }),
      await docent.post('/discovery/v1/page/docs', { path: '/guides/printers' }),
      await docent.get('/sites/docs/guides/printers'),
      await docent.get('/healthz'),
    ]
    const readiness = await docent.get('/readyz')

    expect(refused.map(({ status }) => status)).toEqual([503, 503, 503, 503])
    for (const response of refused) {
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      const { code, error } = errorBodySchema.parse(await response.json())
      expect({ code, error }).toEqual({
        code: 'database_unavailable',
        error: expect.stringMatching(/^The disk is full/),
      })
    }
    expect(served.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(readiness.status).toBe(503)
    expect(await readiness.text()).toContain('The disk is full')

    freeDisk(folder)
    await expect.poll(async () => (await docent.get('/readyz')).status, { timeout: 5_000 }).toBe(200)
    const again = await askDocent(docent, 'What does the error E-42 mean?')
    const created = await docent.post(jobs, { prompt: 'Write "a" into notes.md' }, asAdmin)
    expect(again.error).toBeNull()
    expect(created.status).toBe(201)
    expect(await readTranscript(docent, kept.threadId)).toHaveLength(2)
  })

  it('keeps no start from serving what is there', { timeout: 60_000 }, async () => {
    await docent.stop()
    // The database cannot be opened with less: then the start says so.
    fillDisk(folder, 100_000)

    docent = await startDocent({ folder, waitsUntilReady: false })
    const found = await docent.post('/discovery/v1/search/docs', { query: 'E-42' })
    const readiness = await docent.get('/readyz')
    freeDisk(folder)

    expect([found.status, readiness.status]).toEqual([200, 503])
    while ((await docent.get('/readyz')).status !== 200) await wait(100)
    expect((await askDocent(docent, 'What does the error E-42 mean?')).error).toBeNull()
  })
})
