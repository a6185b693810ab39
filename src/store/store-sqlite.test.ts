import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNode } from '../../test/support/start-node.ts'
import { silentLog } from '../telemetry/log.ts'
import { openStore } from './open-store.ts'
import { declareStoreTests } from '../../test/store/store.conformance.ts'
import type { Store } from './store.ts'

describe('the store on SQLite', () => {
  const parent = mkdtempSync(join(tmpdir(), 'docent-store-'))
  const folder = join(parent, 'data')
  const open = () => openStore({ folder, log: silentLog })
  let store: Store

  beforeAll(async () => {
    store = await open()
  })

  afterAll(async () => {
    await store.close()
    rmSync(parent, { recursive: true, force: true })
  })

  declareStoreTests({
    store: () => store,
    openReplica: null,
    reopen: async () => (store = await open()),
  })

  it('makes its folder readable by its owner alone', () => {
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('refuses a second store on the folder, and releases the folder on close', async () => {
    await expect(open()).rejects.toMatchObject({
      name: 'FolderInUseError',
      message: `Another Docent process uses the data folder ${folder}. Stop it or choose another folder with DOCENT_DATA.`,
    })

    await store.close()
    store = await open()
    await expect(store.ping()).resolves.toBeUndefined()
  })

  it('keeps the event loop free while statements run', async () => {
    const slow = store.durable.executeQuery(
      CompiledQuery.raw(
        'with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1000000) select max(n) from numbers',
      ),
    )
    let turns = 0
    const ticking = setInterval(() => (turns += 1), 1)

    await slow

    clearInterval(ticking)
    expect(turns).toBeGreaterThan(3)
  })

  it('loses no confirmed write when the process is killed', async () => {
    const crashFolder = join(parent, 'crash')
    const confirmed = new Set<string>()
    for (let round = 0; round < 4; round += 1) {
      const writer = startNode(new URL('../../test/support/store-writer.ts', import.meta.url), [
        crashFolder,
        `r${round}`,
      ])
      for await (const line of writer.lines) {
        confirmed.add(line)
        if (confirmed.size >= (round + 1) * 60 + round * 7) break
      }
      await writer.kill()
    }

    const reopened = await openStore({ folder: crashFolder, log: silentLog })
    const rows = await reopened.durable.selectFrom('installation').select('name').execute()
    const counters = await reopened.durable
      .selectFrom('counters')
      .select(({ fn }) => fn.sum('count').as('sum'))
      .execute()
    await reopened.close()

    const stored = new Set(rows.map(({ name }) => name))
    expect([...confirmed].filter((name) => !stored.has(name))).toEqual([])
    expect(confirmed.size).toBeGreaterThan(200)
    expect(Number(counters[0]?.sum)).toBeGreaterThanOrEqual(confirmed.size)
  }, 60_000)
})
