import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listMigrations } from './create-tables.ts'
import { openStore } from '../open-store.ts'
import { areas } from '../schema.ts'
import { describeTables, listTableNames } from './table-shapes.ts'
import { describeCreation } from '../tables/create-table.ts'
import type { Table } from '../tables/define-table.ts'

vi.setConfig({ testTimeout: 120_000 })

const folders: string[] = []

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function makeDatabase(): Promise<DatabaseSync> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-tables-'))
  folders.push(folder)
  const store = await openStore({ folder })
  await store.close()
  return new DatabaseSync(join(folder, 'docent.db'))
}

function select(database: DatabaseSync, query: string): Record<string, unknown>[] {
  return database.prepare(query).all()
}

function listTables(database: DatabaseSync): string[] {
  const names = select(database, "select name from sqlite_schema where type = 'table' order by name")
  return names.map(({ name }) => String(name)).filter((name) => !/^(?:sqlite_|docent_migration)/u.test(name))
}

/** Ignores the order of columns, which a migration cannot choose. */
function describeDatabase(database: DatabaseSync): unknown[] {
  return listTables(database).map((name) => ({
    name,
    columns: select(database, `select name, type, "notnull", pk from pragma_table_info('${name}') order by name`),
    parents: select(database, `select "table", "from", "to", on_delete from pragma_foreign_key_list('${name}')`),
    indexes: select(database, `select name, "unique", partial from pragma_index_list('${name}') order by name`),
  }))
}

describe('describeTables', () => {
  it('copies every table of the newest schema except those whose definition says why not', async () => {
    const database = await makeDatabase()
    const real = listTables(database)
    database.close()

    const known = await listTableNames(listMigrations().at(-1) ?? '')

    expect(known.toSorted()).toEqual(real.toSorted())
  })

  it('finds the tables as defined, so that no changed definition lacks its migration', async () => {
    const defined = new DatabaseSync(':memory:')
    for (const [name, table] of Object.values(areas).flatMap((area) => Object.entries<Table>(area))) {
      for (const statement of describeCreation(name, table, 'sqlite')) defined.exec(statement)
    }
    const migrated = await makeDatabase()

    expect(describeDatabase(migrated)).toEqual(describeDatabase(defined))

    migrated.close()
  })

  it('describes the tables of every migration, so that a backup of any version can be restored', async () => {
    const counts: number[] = []
    for (const name of listMigrations()) counts.push((await describeTables(name)).length)

    expect(counts).toEqual(counts.toSorted((one, other) => one - other))
    expect(counts[0]).toBeGreaterThan(0)
  })

  it('sorts tables after those they reference', async () => {
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
