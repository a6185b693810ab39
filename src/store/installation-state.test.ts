import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished, describe, expect, it } from 'vitest'
import { firstStartName, setInstallationValue } from './installation.ts'
import { recordInstallation } from './installation-state.ts'
import { openStore } from './open-store.ts'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-state-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A data folder whose first start has finished. */
async function makeInstallation(): Promise<string> {
  const folder = await makeFolder()
  const store = await openStore({ folder })
  await setInstallationValue(store.durable, firstStartName, '1')
  await recordInstallation(store, folder)
  await store.close()
  await writeFile(join(folder, 'secret-key'), 'secret')
  await mkdir(join(folder, 'repositories', 'one'), { recursive: true })
  return folder
}

async function readFolder(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const files = names.map(
    async ({ parentPath, name }) => [name, await readFile(join(parentPath, name), 'hex')] as const,
  )
  return Object.fromEntries(await Promise.all(files))
}

const damages: { name: string; damage(database: string): Promise<unknown> }[] = [
  { name: 'deleted', damage: (database) => rm(database) },
  { name: 'emptied', damage: (database) => truncate(database, 0) },
  { name: 'cut to its header', damage: (database) => truncate(database, 100) },
  { name: 'cut to its first page', damage: (database) => truncate(database, 4_096) },
  { name: 'cut by a page', damage: async (database) => truncate(database, (await readFile(database)).length - 4_096) },
  { name: 'written over', damage: (database) => writeFile(database, 'no database '.repeat(1_000)) },
  { name: 'zeroed', damage: async (database) => writeFile(database, Buffer.alloc((await readFile(database)).length)) },
  {
    name: 'a database of something else',
    async damage(database) {
      await rm(database)
      const other = new DatabaseSync(database)
      other.exec('create table words (word text)')
      other.close()
    },
  },
  {
    name: 'deleted, with its log left behind',
    async damage(database) {
      await rm(database)
      await writeFile(`${database}-wal`, 'what was not moved yet')
    },
  },
]

describe('the database of an installation', () => {
  it.each(damages)('that was $name is refused, with the two ways out, and nothing is changed', async ({ damage }) => {
    const folder = await makeInstallation()
    await damage(join(folder, 'docent.db'))
    const before = await readFolder(folder)

    const opening = openStore({ folder })

    await expect(opening).rejects.toThrow(
      /nothing was changed\. Restore a backup .*; or, to start over, move everything/,
    )
    expect(await readFolder(folder)).toEqual(before)
  })

  it.each(['secret-key', 'server.json', 'docent.db-wal'])('is missed if only %s is left', async (name) => {
    const folder = await makeFolder()
    await writeFile(join(folder, name), 'x')

    await expect(openStore({ folder })).rejects.toThrow(`beside ${name} of an installation`)
  })

  it('is not created for an installation in PostgreSQL whose DATABASE_URL is not set', async () => {
    const folder = await makeFolder()
    await writeFile(join(folder, 'uses-postgres'), '')
    await writeFile(join(folder, 'secret-key'), 'secret')
    const before = await readFolder(folder)

    await expect(openStore({ folder })).rejects.toThrow(
      /DATABASE_URL is not set, so nothing was changed\. Set DATABASE_URL/,
    )
    expect(await readFolder(folder)).toEqual(before)
  })

  it('opens normally when intact', async () => {
    const store = await openStore({ folder: await makeInstallation() })

    await expect(store.close()).resolves.toBeUndefined()
  })
})

describe('a first start', () => {
  it('begins in a folder that is new, empty, or holds empty folders', async () => {
    const folder = await makeFolder()
    await mkdir(join(folder, 'indexes'))

    const store = await openStore({ folder })
    await store.close()

    expect(existsSync(join(folder, 'docent.db'))).toBe(true)
  })

  it.each([
    ['before its database', ['first-start.begun']],
    ['while its database is made', ['first-start.begun', 'docent.db', 'docent.db-journal']],
    ['before its transaction', ['first-start.begun', 'secret-key', 'repositories']],
  ])('that was killed %s goes on', async (_when, names) => {
    const folder = await makeFolder()
    for (const name of names) await writeFile(join(folder, name), '')

    const store = await openStore({ folder })
    await setInstallationValue(store.durable, firstStartName, '1')
    await recordInstallation(store, folder)
    await store.close()

    expect(existsSync(join(folder, 'first-start.begun'))).toBe(false)
  })
})
