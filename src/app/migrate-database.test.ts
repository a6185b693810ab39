import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { loadSettings } from '../config/load-settings.ts'
import { listMigrations } from '../store/migrations/create-tables.ts'
import { fillSqlite } from '../store/sqlite/fill-sqlite.ts'
import { openStore } from '../store/open-store.ts'
import { describeTables } from '../store/migrations/table-shapes.ts'
import { backUp, restore } from './back-up.ts'
import { migrateDatabase, readMigrationState } from './migrate-database.ts'

vi.setConfig({ testTimeout: 120_000 })

const folders: string[] = []
const { signal } = new AbortController()
const migrations = listMigrations()
const [old, newest] = [migrations.at(-4) ?? '', migrations.at(-1) ?? '']

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-migrate-'))
  folders.push(folder)
  return folder
}

/** The database of an older version, with one row. */
async function makeOldFolder(): Promise<string> {
  const folder = await makeFolder()
  const shapes = await describeTables(old)
  const organizations = shapes.find(({ name }) => name === 'organizations')
  if (organizations === undefined) throw new Error('The first migration makes it.')
  const load = (loader: { write(shape: typeof organizations, rows: [[string, string, number]]): Promise<void> }) =>
    loader.write(organizations, [['default', 'Default', 1]])
  await fillSqlite(folder, { migration: old, newest: old, shapes, now: 1, load })
  return folder
}

const settingsOf = (folder: string, secretKey?: string) =>
  loadSettings({ env: { DOCENT_DATA: folder, ...(secretKey === undefined ? {} : { DOCENT_SECRET_KEY: secretKey }) } })

it('runs what is to be run, once', async () => {
  const settings = settingsOf(await makeOldFolder())

  const { pending } = await readMigrationState(settings)
  const ran = await migrateDatabase(settings)
  const again = await migrateDatabase(settings)

  expect(pending).toEqual(listMigrations().filter((name) => name > old))
  expect({ ran, again }).toEqual({ ran: pending, again: [] })
})

it('has nothing to do beside a process that has brought it to the newest form', async () => {
  const folder = await makeFolder()
  const store = await openStore({ folder })

  expect(await migrateDatabase(settingsOf(folder))).toEqual([])

  await store.close()
})

it('refuses a database that a newer version has migrated, in a sentence', async () => {
  const folder = await makeFolder()
  const store = await openStore({ folder })
  await store.durable
    .insertInto('docent_migrations' as never)
    .values({ name: '9999_later', timestamp: 'then' })
    .execute()
  await store.close()

  expect((await readMigrationState(settingsOf(folder))).unknown).toEqual(['9999_later'])
  await expect(migrateDatabase(settingsOf(folder))).rejects.toThrow(/newer version of Docent.*9999_later/u)
  const backup = backUp(
    { settings: settingsOf(folder), clock: systemClock, signal },
    { target: folder, hasSecrets: false },
  )
  await expect(backup).rejects.toThrow(/newer version of Docent/u)
})

it('brings the backup of an older version to the newest form, and tells whether the key is the right one', async () => {
  const [folder, same, other] = [await makeOldFolder(), await makeFolder(), await makeFolder()]
  const key = 'k'.repeat(40)
  const deps = { clock: systemClock, signal }

  const { file, manifest } = await backUp(
    { ...deps, settings: settingsOf(folder, key) },
    { target: folder, hasSecrets: false },
  )
  const restored = await restore({ ...deps, settings: settingsOf(same, key) }, { file, replaces: false })
  const elsewhere = await restore({ ...deps, settings: settingsOf(other) }, { file, replaces: false })

  expect({ migration: manifest.migration, secret: manifest.secret }).toEqual({ migration: old, secret: null })
  expect((await readMigrationState(settingsOf(same))).executed.at(-1)).toBe(newest)
  expect([restored.hasSameSecret, elsewhere.hasSameSecret]).toEqual([true, false])
})
