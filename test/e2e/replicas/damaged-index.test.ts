import { readdir, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { siteSchema } from '../../../src/contract/admin.ts'
import { asAdmin } from '../../support/pull-requests.ts'
import { type Docent, startDocent } from '../../support/start-docent.ts'
import { startPostgres } from '../../support/start-postgres.ts'
import { type Replicas, startReplicas } from '../../support/start-replicas.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 240_000 })

const database = await startPostgres()
if ('unavailable' in database) process.stderr.write(`Skipped damaged indexes of replicas: ${database.unavailable}\n`)

describe.skipIf('unavailable' in database)('an index that replicas share', () => {
  let replicas: Replicas
  let docent: Docent
  const databaseUrl = 'url' in database ? database.url : ''

  beforeAll(async () => {
    replicas = await startReplicas({ databaseUrl })
    ;[docent] = replicas.servers
    // A server whose first site is yet to be made is ready too.
    while ((await search(docent)).status !== 200) await wait(50)
  })
  afterAll(async () => {
    await replicas.stop()
    if ('stop' in database) await database.stop()
  })

  const search = (of: Docent) => of.post('/discovery/v1/search/docs', { query: 'paper has run out' })

  async function readGeneration(): Promise<number> {
    const site = siteSchema.parse(await (await docent.get('/admin/v1/sites/docs', asAdmin)).json())
    return site.generation?.number ?? 0
  }

  async function findFile(): Promise<string> {
    const folder = join(docent.folder, 'indexes')
    return join(folder, (await readdir(folder)).toSorted().at(-1) ?? '')
  }

  /** Every reply on the way is right or a 503. */
  async function askUntilRight(of: Docent): Promise<string> {
    for (;;) {
      const response = await search(of)
      expect([200, 503]).toContain(response.status)
      if (response.status === 200) return response.text()
      await wait(50)
    }
  }

  const damageContents = () =>
    sql`update blob_chunks set bytes = overlay(bytes placing '\\x00ff00ff'::bytea from 2000)`.execute(
      docent.service.store.durable,
    )

  it('is fetched again where the copy of a server is damaged', async () => {
    const before = await readGeneration()
    await truncate(await findFile(), 5_000)
    await wait(1_100)

    expect(await askUntilRight(docent)).toContain('E-42')
    expect(await readGeneration()).toBe(before)
  })

  it('is built again, once, where what is shared of it is damaged', async () => {
    const before = await readGeneration()
    await damageContents()

    const late = await replicas.startServer({ waitsUntilReady: false })
    expect(await askUntilRight(late)).toContain('E-42')
    expect(await readGeneration()).toBe(before + 1)
  })

  it('is built again where what is shared of it is gone', async () => {
    const before = await readGeneration()
    await docent.service.store.durable.deleteFrom('blobChunks').execute()

    const late = await replicas.startServer({ waitsUntilReady: false })
    expect(await askUntilRight(late)).toContain('E-42')
    expect(await readGeneration()).toBe(before + 1)
  })

  it('is built again by an explicit sync that finds what is shared damaged, although no server has noticed', async () => {
    const before = await readGeneration()
    await damageContents()

    await docent.post('/admin/v1/sites/docs/sync', {}, asAdmin)
    while ((await readGeneration()) === before) await wait(50)
    const late = await replicas.startServer()

    expect(await askUntilRight(late)).toContain('E-42')
  })

  it('is missed by a server whose database was emptied, which is told the two ways out', async () => {
    const { folder } = docent
    await docent.stop()
    const { durable } = replicas.servers[1].service.store
    await sql`drop schema public cascade`.execute(durable)
    await sql`create schema public`.execute(durable)
    const env = { DATABASE_URL: databaseUrl, DOCENT_SECRET_KEY: 'x'.repeat(40) }

    const starting = startDocent({ folder, env, role: 'serve' })

    await expect(starting).rejects.toThrow(/DATABASE_URL is empty, .*nothing was changed.*; or, to start over/)
    const { rows } = await sql`select 1 from pg_tables where schemaname = 'public'`.execute(durable)
    expect(rows).toEqual([])
  })
})
