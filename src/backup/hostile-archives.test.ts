import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { packTar, unpackTar } from 'modern-tar'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createBareRepository } from '../git/repositories/bare-repository.ts'
import { openStore } from '../store/open-store.ts'
import { insertOrganization } from '../store/accounts/organizations.ts'
import { insertRepository } from '../store/hosting/repositories.ts'
import { openSqliteSnapshot } from '../store/sqlite/sqlite-snapshot.ts'
import { BackupError, explainFullDisk } from './backup-error.ts'
import type { BackupManifest } from './backup-manifest.ts'
import { restoreBackup } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'
import { writeBackup } from './write-backup.ts'

type Entries = Awaited<ReturnType<typeof unpackTar>>

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const { signal } = new AbortController()
let folder: string
let whole: Buffer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-hostile-'))
  const store = await openStore({ folder })
  await insertOrganization(store.durable, { id: 'default', name: 'Default', createdAt: 1 })
  const repository = { id: 'repo_1', organizationId: 'default', name: 'default/docs', folder: 'repo_1.git' }
  await insertRepository(store.durable, { ...repository, defaultBranch: 'main', createdAt: 1 })
  await store.close()
  await createBareRepository(join(folder, 'repositories', 'repo_1.git'))
  await writeBackup({
    file: join(folder, 'whole.tar'),
    database: 'sqlite',
    openSnapshot: () => openSqliteSnapshot(folder),
    repositories: { repositoryFolder: join(folder, 'repositories'), readPack: null },
    program: '1.2.3',
    createdAt: new Date(0),
    secretCheck: null,
    secret: null,
    signal,
  })
  whole = await readFile(join(folder, 'whole.tar'))
}, 30_000)
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** The result of restoring an archive, and what it leaves in the data folder. */
async function restoreBytes(bytes: Uint8Array): Promise<{ error: unknown; left: string[] }> {
  const file = join(folder, 'changed.tar')
  await writeFile(file, bytes)
  const dataFolder = await mkdtemp(join(folder, 'data-'))
  const error = await restoreBackup({ file, dataFolder, shared: null, replaces: false, now: 1, signal }).then(
    () => null,
    (failure: unknown) => failure,
  )
  return { error, left: (await readdir(dataFolder)).filter((name) => name !== 'lock.db') }
}

async function restoreChanged(change: (entries: Entries) => Entries): Promise<{ error: unknown; left: string[] }> {
  return restoreBytes(await packTar(change(await unpackTar(whole))))
}

const textOf = (data: Uint8Array | undefined) => Buffer.from(data ?? []).toString('utf8')
const manifestIn = (entries: Entries) => JSON.parse(textOf(entries.at(-1)?.data)) as BackupManifest // Our own.

function withManifest(entries: Entries, change: (manifest: BackupManifest) => void): Entries {
  const manifest = manifestIn(entries)
  change(manifest)
  const data = new Uint8Array(Buffer.from(JSON.stringify(manifest)))
  return [...entries.slice(0, -1), { header: { name: 'manifest.json', size: data.length, type: 'file' }, data }]
}

/** Changes the rows of a table with all the hashes over them, as whoever makes a backup by hand does. */
function withRows(entries: Entries, table: string, change: (rows: string) => string): Entries {
  const at = entries.findIndex(({ header }) => header.name.startsWith(`tables/${table}/`))
  const raw = change(gunzipSync(entries[at]?.data ?? new Uint8Array()).toString('utf8'))
  const data = new Uint8Array(gzipSync(raw))
  const name = entries[at]?.header.name ?? ''
  const changed = entries.with(at, { header: { name, size: data.length, type: 'file' }, data })
  return withManifest(changed, ({ tables }) => {
    const described = tables.find((entry) => entry.name === table)
    if (described === undefined) throw new Error('The manifest lacks the table.')
    described.parts = [{ bytes: data.length, sha256: createHash('sha256').update(data).digest('hex') }]
    described.sha256 = createHash('sha256').update(raw).digest('hex')
    described.rowCount = raw.split('\n').length - 1
  })
}

const entryOf = (name: string, type: 'file' | 'symlink' = 'file'): Entries[number] => ({
  header: { name, type, size: type === 'file' ? 4 : 0, ...(type === 'symlink' ? { linkname: '/etc/passwd' } : {}) },
  ...(type === 'file' ? { data: new Uint8Array(Buffer.from('evil')) } : {}),
})

describe('an archive that was changed', () => {
  it('restores when it was not', async () => {
    expect(await restoreBytes(whole)).toEqual({ error: null, left: ['docent.db', 'repositories'] })
  })

  it.each<[string, RegExp, (entries: Entries) => Entries]>([
    ['leads out of the folder', /it holds "\.\.\/\.\.\/evil"/u, (entries) => [entryOf('../../evil'), ...entries]],
    ['names an absolute file', /it holds "\/etc\/evil"/u, (entries) => [entryOf('/etc/evil'), ...entries]],
    ['holds a link', /it holds "secret-key"/u, (entries) => [entryOf('secret-key', 'symlink'), ...entries]],
    [
      'holds an entry twice',
      /twice/u,
      ([first, ...rest]) => [first, first, ...rest].filter((entry) => entry !== undefined),
    ],
    [
      'holds more than it says',
      /does not know secret-key/u,
      (entries) => entries.toSpliced(-1, 0, entryOf('secret-key')),
    ],
    ['lacks a part', /is missing/u, ([, ...entries]) => entries],
    ['lacks its end', /its end is missing/u, (entries) => entries.slice(0, -1)],
    ['goes on after its end', /after its end/u, (entries) => [...entries, entryOf('secret-key')]],
    [
      'names tables of its own',
      /its tables are not those/u,
      (entries) =>
        withManifest(
          entries,
          ({ tables }) => void tables.push({ ...tables[1]!, name: 'evil', parts: [], rowCount: 0, sha256: emptyHash }),
        ),
    ],
    [
      'is from a newer version',
      /newer version/u,
      (entries) => withManifest(entries, (manifest) => void (manifest.migration = '9999_later')),
    ],
    [
      'has a row that is none',
      /is no row of organizations/u,
      (entries) => withRows(entries, 'organizations', () => '[1]\n'),
    ],
    [
      'has a row that the table refuses',
      /the database refuses rows of organizations/u,
      (entries) => withRows(entries, 'organizations', (rows) => rows + rows),
    ],
    [
      'leads a repository out of the folder',
      /names the folder "\.\.\/\.\.\/evil"/u,
      (entries) => withRows(entries, 'repositories', (rows) => rows.replace('repo_1.git', '../../evil')),
    ],
    [
      'names an object that is not there',
      /repository repo_1 cannot be made/u,
      (entries) =>
        withManifest(
          entries,
          ({ repositories }) => void (repositories[0]!.refs = { 'refs/heads/main': 'a'.repeat(40) }),
        ),
    ],
  ])('is refused when it %s, and nothing is kept', async (_, sentence, change) => {
    const { error, left } = await restoreChanged(change)

    expect(error).toBeInstanceOf(BackupError)
    expect(error).toMatchObject({ message: expect.stringMatching(sentence) })
    expect(left).toEqual([])
  })

  it('is refused wherever it was cut off', async () => {
    const file = join(folder, 'cut.tar')
    // At the end of an entry, within a header, within a body, and without the end mark's room.
    for (const length of [0, 100, 512, 700, 1_024, Math.floor(whole.length / 2), whole.length - 1_100]) {
      await writeFile(file, whole.subarray(0, length))
      await expect(verifyBackup(file, signal)).rejects.toBeInstanceOf(BackupError)
    }
  })

  it('is refused when a byte of a part was changed', async () => {
    const changed = Buffer.from(whole)
    const at = changed.indexOf('tables/') + 512 + 20
    changed[at] = (changed[at] ?? 0) ^ 1
    const file = join(folder, 'flipped.tar')
    await writeFile(file, changed)

    await expect(verifyBackup(file, signal)).rejects.toThrow(/damaged/u)
  })

  it('is refused when it is no archive at all', async () => {
    await expect(verifyBackup(join(folder, 'docent.db'), signal)).rejects.toBeInstanceOf(BackupError)
    await expect(verifyBackup(join(folder, 'none.tar'), signal)).rejects.toThrow(/There is no file/u)
  })
})

const emptyHash = createHash('sha256').digest('hex')

it.skipIf(process.platform !== 'linux')('tells of a full disk in a sentence', async () => {
  const error: unknown = await writeFile('/dev/full', 'x').catch((failure: unknown) => failure)

  expect(explainFullDisk(error, 'the backup /mnt/docent.tar')).toMatchObject({
    message: expect.stringMatching(/^There is no space left for the backup \/mnt\/docent\.tar\./u),
  })
})
