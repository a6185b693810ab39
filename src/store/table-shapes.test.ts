import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listMigrations } from './create-tables.ts'
import { openStore } from './open-store.ts'
import { describeTables, listTableNames } from './table-shapes.ts'

vi.setConfig({ testTimeout: 120_000 })

const folders: string[] = []

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function listRealTables(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-tables-'))
  folders.push(folder)
  const store = await openStore({ folder })
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(
    store.durable,
  )
  await store.close()
  return rows.map(({ name }) => name).filter((name) => !/^(?:sqlite_|docent_migration)/u.test(name))
}

describe('describeTables', () => {
  it('copies every table of the newest database but those whose definition says why not', async () => {
    const real = await listRealTables()

    const known = await listTableNames(listMigrations().at(-1) ?? '')

    expect(known.toSorted()).toEqual(real.toSorted())
  })

  it('describes the tables of every migration, so that a backup of any version can be restored', async () => {
    const counts: number[] = []
    for (const name of listMigrations()) counts.push((await describeTables(name)).length)

    expect(counts).toEqual(counts.toSorted((one, other) => one - other))
    expect(counts[0]).toBeGreaterThan(0)
  })

  it('puts tables after those that they refer to', async () => {
    const names = (await describeTables(listMigrations().at(-1) ?? '')).map(({ name }) => name)

    for (const [parent, child] of [
      ['organizations', 'projects'],
      ['projects', 'sites'],
      ['threads', 'messages'],
      ['messages', 'feedback'],
      ['repositories', 'pull_requests'],
    ]) {
      expect(names.indexOf(parent ?? '')).toBeLessThan(names.indexOf(child ?? ''))
    }
  })
})
