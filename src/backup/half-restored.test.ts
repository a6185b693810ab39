import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openStore } from '../store/open-store.ts'
import { openSqliteSnapshot } from '../store/sqlite/sqlite-snapshot.ts'
import { restoreBackup, type RestoreInput } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

const { signal } = new AbortController()
const folders: string[] = []

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** A data folder with a row and a file of repositories that say which state they are of. */
async function makeState(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-half-'))
  folders.push(folder)
  const store = await openStore({ folder })
  await store.durable.insertInto('installation').values({ name: 'state', value: name }).execute()
  await store.close()
  await mkdir(join(folder, 'repositories'))
  await writeFile(join(folder, 'repositories', 'state'), name)
  return folder
}

async function readState(folder: string): Promise<string | undefined> {
  const store = await openStore({ folder })
  const row = await store.durable
    .selectFrom('installation')
    .select('value')
    .where('name', '=', 'state')
    .executeTakeFirst()
  await store.close()
  return row?.value
}

/** A restore that breaks off after the repositories were moved and before the database is. */
async function breakRestoreOff(): Promise<{ folder: string; restore: RestoreInput }> {
  const [folder, other] = [await makeState('before'), await makeState('backup')]
  const file = join(other, 'backup.tar')
  await writeBackup({
    file,
    database: 'sqlite',
    openSnapshot: () => openSqliteSnapshot(other),
    repositories: { repositoryFolder: join(other, 'repositories'), readPack: null },
    program: '1.2.3',
    createdAt: new Date(0),
    secretCheck: null,
    secret: 's'.repeat(43),
    signal,
  })
  const restore = { file, dataFolder: folder, shared: null, replaces: true, now: 1_732_000_000_000, signal }
  // A folder stands where the key is to be written.
  await mkdir(join(folder, 'secret-key.unfinished'))
  await expect(restoreBackup(restore)).rejects.toThrow(/secret-key\.unfinished/u)
  await rm(join(folder, 'secret-key.unfinished'), { recursive: true })
  return { folder, restore }
}

it('keeps every process from opening a folder that a restore was interrupted in', async () => {
  const { folder } = await breakRestoreOff()

  const refusal = /^A restore into .* was interrupted .*Run docent restore with the backup and --replace again/u
  await expect(openStore({ folder })).rejects.toThrow(refusal)
  await expect(openSqliteSnapshot(folder)).rejects.toThrow(refusal)
})

it('finishes an interrupted restore and keeps all previous files in one folder', async () => {
  const { folder, restore } = await breakRestoreOff()

  const { replacedFolder } = await restoreBackup({ ...restore, now: restore.now + 60_000 })

  expect(await readState(folder)).toBe('backup')
  expect(await readdir(join(folder, 'repositories'))).toEqual([])
  expect((await readdir(folder)).filter((name) => /^(?:replaced-|restore)/u.test(name))).toHaveLength(1)
  expect(await readState(replacedFolder ?? '')).toBe('before')
  expect(await readFile(join(replacedFolder ?? '', 'repositories', 'state'), 'utf8')).toBe('before')
})
