import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { fillEveryTable } from '../../test/support/fill-every-table.ts'
import { startPostgres } from '../../test/support/start-postgres.ts'
import { createBareRepository, importFolder } from '../git/repositories/bare-repository.ts'
import { readRefTable } from '../git/repositories/repository-contents.ts'
import { runGitStrictly } from '../git/run-git.ts'
import { listMigrations } from '../store/migrations/create-tables.ts'
import { createDatabaseBlobs } from '../store/blobs/database-blobs.ts'
import { sumRows } from '../store/migrations/load-rows.ts'
import { openStore } from '../store/open-store.ts'
import { openPostgresSnapshot } from '../store/postgres/postgres-snapshot.ts'
import type { DatabaseSnapshot } from '../store/migrations/row-reader.ts'
import type { Db } from '../store/schema.ts'
import { openSqliteSnapshot } from '../store/sqlite/sqlite-snapshot.ts'
import { describeTables, type TableShape } from '../store/migrations/table-shapes.ts'
import type { RepositorySource } from './capture-repositories.ts'
import { moveToPostgres } from './move-to-postgres.ts'
import { restoreBackup, type RestoreInput } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'
import { writeBackup, type WriteBackupInput } from './write-backup.ts'

const server = await startPostgres()
if ('unavailable' in server) process.stderr.write(`Skipped backups of PostgreSQL: ${server.unavailable}\n`)
const databaseUrl = 'url' in server ? server.url : ''

// Git is started dozens of times, which takes long on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const { signal } = new AbortController()
const now = 1_732_000_000_000
const newest = listMigrations().at(-1) ?? ''
const folders: string[] = []
let shapes: readonly TableShape[] = []
let template: string

beforeAll(async () => {
  shapes = await describeTables(newest)
  template = await makeTemplate()
}, 240_000)
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})
afterAll(async () => {
  await rm(template, { recursive: true, force: true })
  if ('stop' in server) await server.stop()
}, 30_000)

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-backup-'))
  folders.push(folder)
  return folder
}

/** A data folder with rows in every table, and a repository with a commit for each of its rows. */
async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-backup-template-'))
  await (await openStore({ folder })).close()
  for (const id of fillEveryTable(folder, shapes)) {
    const gitDirectory = join(folder, 'repositories', `${id}.git`)
    await createBareRepository(gitDirectory)
    const files = { paths: ['index.md'], read: async () => Buffer.from(`# ${id}`) }
    const author = { name: 'A. Writer', email: 'writer@example.com', at: now }
    await importFolder({ gitDirectory, files, branch: 'main', author, message: id, scratchFolder: folder }, signal)
  }
  return folder
}

async function fillFolder(): Promise<string> {
  const folder = await makeFolder()
  await cp(template, folder, { recursive: true })
  return folder
}

function backupOf(folder: string, change: Partial<WriteBackupInput> = {}): WriteBackupInput {
  return {
    file: join(folder, 'backup.tar'),
    database: 'sqlite',
    openSnapshot: () => openSqliteSnapshot(folder),
    repositories: { repositoryFolder: join(folder, 'repositories'), readPack: null },
    program: '1.2.3',
    createdAt: new Date(now),
    secretCheck: null,
    secret: null,
    signal,
    ...change,
  }
}

function restoreTo(dataFolder: string, file: string, change: Partial<RestoreInput> = {}): RestoreInput {
  return { file, dataFolder, shared: null, replaces: false, now, signal, ...change }
}

/** Everything that a database holds, as sums by table. */
async function sumAll(snapshot: DatabaseSnapshot): Promise<Record<string, unknown>> {
  const sums: Record<string, unknown> = {}
  for (const shape of shapes) sums[shape.name] = await sumRows(snapshot, shape)
  await snapshot.close()
  return sums
}

async function readTips(repositoryFolder: string): Promise<Record<string, string | undefined>> {
  const tips: Record<string, string | undefined> = {}
  for (const name of (await readdir(repositoryFolder)).toSorted()) {
    const gitDirectory = join(repositoryFolder, name)
    tips[name] = (await readRefTable(gitDirectory, signal)).get('refs/heads/main')
    await runGitStrictly({ gitDirectory, args: ['fsck', '--full', '--strict'], signal })
  }
  return tips
}

const contents = {
  write: (db: Db, ...rest: [{ hash: string; size: number; file: string }, AbortSignal]) =>
    createDatabaseBlobs({ durable: db }).write(db, ...rest),
}
const readPack: RepositorySource['readPack'] = ({ db }, hash, stopped) =>
  db === null ? Readable.from([]) : createDatabaseBlobs({ durable: db }).read(hash, stopped)

describe('a backup of the embedded database', () => {
  it('restores every row of every table and every repository, with the key that was asked for', async () => {
    const folder = await fillFolder()
    const before = await sumAll(await openSqliteSnapshot(folder))

    const manifest = await writeBackup(backupOf(folder, { secret: 'k'.repeat(43) }))
    const other = await makeFolder()
    const restored = await restoreBackup(restoreTo(other, join(folder, 'backup.tar')))

    expect(restored.rowCount).toBe(shapes.length * 3)
    expect(await sumAll(await openSqliteSnapshot(other))).toEqual(before)
    expect(await readTips(join(other, 'repositories'))).toEqual(await readTips(join(folder, 'repositories')))
    expect(await readFile(join(other, 'secret-key'), 'utf8')).toBe(`${'k'.repeat(43)}\n`)
    expect((await stat(join(other, 'secret-key'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'backup.tar'))).mode & 0o777).toBe(0o600)
    expect(await verifyBackup(join(folder, 'backup.tar'), signal)).toEqual(manifest)
    const store = await openStore({ folder: other })
    await store.close()
  })

  it('is one moment: what is committed while it is written is not in it', async () => {
    const folder = await fillFolder()
    const before = await sumAll(await openSqliteSnapshot(folder))
    const store = await openStore({ folder })
    let looks = 0
    const openSnapshot = async () => {
      const snapshot = await openSqliteSnapshot(folder)
      looks += 1
      await store.durable
        .insertInto('installation')
        .values({ name: `late-${looks}`, value: '1' })
        .execute()
      return snapshot
    }
    await writeBackup(backupOf(folder, { openSnapshot }))
    await store.close()

    const other = await makeFolder()
    await restoreBackup(restoreTo(other, join(folder, 'backup.tar')))

    const after = await sumAll(await openSqliteSnapshot(other))
    const late = (after.installation as { rowCount: number }).rowCount - 3
    // Two looks, because the refs must be the same before and after: the second one sees the row after the first.
    expect({ late, looks }).toEqual({ late: 1, looks: 2 })
    expect({ ...after, installation: null }).toEqual({ ...before, installation: null })
  })

  it('refuses a folder with a database, and moves it aside when told to', async () => {
    const folder = await fillFolder()
    await writeBackup(backupOf(folder))
    const file = join(folder, 'backup.tar')

    await expect(restoreBackup(restoreTo(folder, file))).rejects.toThrow(/not empty.*--replace/u)
    const { replacedFolder } = await restoreBackup(restoreTo(folder, file, { replaces: true }))

    expect((await readdir(replacedFolder ?? '')).toSorted()).toEqual(['docent.db', 'repositories'])
    expect(await sumAll(await openSqliteSnapshot(replacedFolder ?? ''))).toEqual(
      await sumAll(await openSqliteSnapshot(folder)),
    )
  })

  it('refuses a folder that a process holds', async () => {
    const folder = await fillFolder()
    await writeBackup(backupOf(folder))
    const store = await openStore({ folder })

    const refused = restoreBackup(restoreTo(folder, join(folder, 'backup.tar'), { replaces: true }))

    await expect(refused).rejects.toThrow(/Another Docent process uses the data folder/u)
    await store.close()
  })

  it('leaves nothing behind when reading fails half-way, and keeps the backup that was there', async () => {
    const folder = await fillFolder()
    await writeBackup(backupOf(folder))
    const whole = await readFile(join(folder, 'backup.tar'))
    const openSnapshot = async (): Promise<DatabaseSnapshot> => {
      const snapshot = await openSqliteSnapshot(folder)
      const read: DatabaseSnapshot['read'] = async function* (shape) {
        if (shape.name === 'messages') throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
        yield* snapshot.read(shape)
      }
      return { ...snapshot, read }
    }

    await expect(writeBackup(backupOf(folder, { openSnapshot }))).rejects.toThrow(/no space left for the backup/u)

    expect((await readdir(folder)).filter((name) => name.includes('unfinished'))).toEqual([])
    expect(await readFile(join(folder, 'backup.tar'))).toEqual(whole)
  })

  it('removes what a backup that was killed has left', async () => {
    const folder = await fillFolder()
    await writeFile(join(folder, 'backup.tar.4194999.unfinished'), 'half')

    await writeBackup(backupOf(folder))

    expect((await readdir(folder)).filter((name) => name.includes('unfinished'))).toEqual([])
  })

  it('restores into a folder where a restore was killed', async () => {
    const folder = await fillFolder()
    await writeBackup(backupOf(folder))
    const other = await makeFolder()
    await mkdir(join(other, 'restore.unfinished', 'database'), { recursive: true })
    await writeFile(join(other, 'restore.unfinished', 'database', 'docent.db'), 'half')
    await mkdir(join(other, 'repositories', 'old.git'), { recursive: true })

    await restoreBackup(restoreTo(other, join(folder, 'backup.tar')))

    expect(await sumAll(await openSqliteSnapshot(other))).toEqual(await sumAll(await openSqliteSnapshot(folder)))
    expect(await readTips(join(other, 'repositories'))).toEqual(await readTips(join(folder, 'repositories')))
  })
})

describe.skipIf('unavailable' in server)('between the databases', () => {
  const shared = { databaseUrl, contents }

  it('goes from the embedded database to PostgreSQL and back without losing a row or a commit', async () => {
    const folder = await fillFolder()
    const before = await sumAll(await openSqliteSnapshot(folder))
    await writeBackup(backupOf(folder))

    await restoreBackup(restoreTo(await makeFolder(), join(folder, 'backup.tar'), { shared, replaces: true }))
    const onPostgres = await sumAll(await openPostgresSnapshot(databaseUrl))
    const third = await makeFolder()
    const file = join(third, 'of-postgres.tar')
    const repositories = { repositoryFolder: join(third, 'none'), readPack }
    await writeBackup(
      backupOf(third, {
        file,
        database: 'postgres',
        openSnapshot: () => openPostgresSnapshot(databaseUrl),
        repositories,
      }),
    )
    const last = await makeFolder()
    await restoreBackup(restoreTo(last, file))

    expect(onPostgres).toEqual(before)
    expect(await sumAll(await openSqliteSnapshot(last))).toEqual(before)
    expect(await readTips(join(last, 'repositories'))).toEqual(await readTips(join(folder, 'repositories')))
  }, 240_000)

  it('moves the embedded database in one go, finds it moved, and replaces nothing else unasked', async () => {
    const folder = await fillFolder()
    const move = {
      dataFolder: folder,
      repositoryFolder: join(folder, 'repositories'),
      databaseUrl,
      contents,
      now,
      signal,
    }

    const { sums } = await moveToPostgres({ ...move, replaces: true })

    expect(Object.fromEntries(sums)).toEqual(await sumAll(await openSqliteSnapshot(folder)))
    const again = await moveToPostgres({ ...move, replaces: false })
    expect(again).toEqual({ sums, repositoryCount: 3 })
    const store = await openStore({ databaseUrl, folder })
    await expect(moveToPostgres({ ...move, replaces: true })).rejects.toThrow(/Other Docent processes are using/u)
    await store.durable.insertInto('installation').values({ name: 'late', value: '1' }).execute()
    await store.close()
    await expect(moveToPostgres({ ...move, replaces: false })).rejects.toThrow(/is not empty.*--replace/u)
    expect(await readdir(folder)).not.toContain('move.unfinished')
  }, 240_000)

  it('changes nothing in PostgreSQL when a move breaks off', async () => {
    const folder = await fillFolder()
    const move = { dataFolder: folder, repositoryFolder: join(folder, 'repositories'), databaseUrl, now, signal }
    await moveToPostgres({ ...move, contents, replaces: true })
    const before = await sumAll(await openPostgresSnapshot(databaseUrl))
    const broken = { write: () => Promise.reject(new Error('The bucket is gone.')) }

    await expect(moveToPostgres({ ...move, contents: broken, replaces: true })).rejects.toThrow('The bucket is gone.')

    expect(await sumAll(await openPostgresSnapshot(databaseUrl))).toEqual(before)
  }, 240_000)
})
