import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobContents } from '../store/blobs/blobs.ts'
import { listMigrations } from '../store/migrations/create-tables.ts'
import type { FillInput } from '../store/migrations/fill-database.ts'
import { DatabaseNotEmptyError, fillPostgres } from '../store/postgres/fill-postgres.ts'
import { lockFolder } from '../store/lock-folder.ts'
import { assertKnownMigrations, compareMigrations } from '../store/migrations/migration-state.ts'
import { recordRepository, type RecordRepositoryInput } from '../store/hosting/record-repository.ts'
import type { DatabaseSnapshot } from '../store/migrations/row-reader.ts'
import type { TableSum } from '../store/migrations/row-sum.ts'
import { openSqliteSnapshot } from '../store/sqlite/sqlite-snapshot.ts'
import { describeTables, type TableShape } from '../store/migrations/table-shapes.ts'
import { BackupError, explainFullDisk } from './backup-error.ts'
import { type CapturedRepository, readPacks, openCapture, type RepositorySource } from './capture-repositories.ts'
import { sumFile } from './sum-file.ts'
import { isDeepStrictEqual } from 'node:util'
import { sumRows } from '../store/migrations/load-rows.ts'
import { openPostgresSnapshot } from '../store/postgres/postgres-snapshot.ts'

export interface MoveInput {
  dataFolder: string
  repositoryFolder: string
  databaseUrl: string
  /** Where packs of repositories are stored. */
  contents: Pick<BlobContents, 'write'>
  /** Whether existing contents of the database may be deleted. */
  replaces: boolean
  now: number
  signal: AbortSignal
}

export interface MoveOutcome {
  /** Row count and checksum of each table, equal on both sides. */
  sums: ReadonlyMap<string, TableSum>
  repositoryCount: number
}

/**
 * Copies the embedded database and its repositories to PostgreSQL in one transaction, and compares both row by row. The
 * embedded database stays unchanged; nobody may use it meanwhile. Safe to run again after an interruption: if the
 * transaction had been committed, it finds both equal and changes nothing.
 *
 * @throws {FolderInUseError} if a server runs on the folder.
 * @throws {DatabaseNotEmptyError} if PostgreSQL contains other data that may not be replaced.
 */
export async function moveToPostgres(input: MoveInput): Promise<MoveOutcome> {
  const { dataFolder, repositoryFolder, signal } = input
  const free = await lockFolder(dataFolder)
  const staging = join(dataFolder, 'move.unfinished')
  try {
    await rm(staging, { recursive: true, force: true })
    await mkdir(staging, { mode: 0o700 })
    const source = { repositoryFolder, readPack: null }
    const { snapshot, repositories } = await openCapture(() => openSqliteSnapshot(dataFolder), source, signal)
    try {
      const sums = await moveSnapshot({ ...input, source, snapshot, repositories, staging })
      return { sums, repositoryCount: repositories.length }
    } finally {
      await snapshot.close()
    }
  } catch (error) {
    throw explainFullDisk(error, `what is moved from ${dataFolder}`)
  } finally {
    await rm(staging, { recursive: true, force: true })
    free()
  }
}

interface Moving extends MoveInput {
  source: RepositorySource
  snapshot: DatabaseSnapshot
  repositories: readonly CapturedRepository[]
  staging: string
}

async function moveSnapshot(moving: Moving): Promise<MoveOutcome['sums']> {
  const { source, snapshot, repositories, staging, signal } = moving
  const state = compareMigrations(snapshot.migrations)
  assertKnownMigrations(state)
  const migration = state.executed.at(-1)
  if (migration === undefined) throw new BackupError('The embedded database is empty: there is nothing to move.')
  const shapes = await describeTables(migration)
  const load: FillInput['load'] = async (loader, transaction) => {
    for (const shape of shapes) {
      for await (const rows of snapshot.read(shape)) {
        signal.throwIfAborted()
        await loader.write(shape, rows)
      }
    }
    for (const repository of repositories) {
      const packs = await stagePacks(source, repository, { snapshot, staging, signal })
      await recordRepository(transaction, { ...moving, ...repository, packs }, signal)
      for (const { file } of packs) await rm(file, { force: true })
    }
  }
  try {
    const newest = listMigrations().at(-1) ?? migration
    return (await fillPostgres({ ...moving, migration, newest, shapes, load })).sums
  } catch (error) {
    const sums = error instanceof DatabaseNotEmptyError ? await findEarlierMove({ ...moving, shapes }) : null
    if (sums === null) throw error
    return sums
  }
}

async function stagePacks(
  source: RepositorySource,
  repository: CapturedRepository,
  { snapshot, staging, signal }: { snapshot: DatabaseSnapshot; staging: string; signal: AbortSignal },
): Promise<RecordRepositoryInput['packs']> {
  const packs = []
  const file = join(staging, 'next.pack')
  for await (const _ of readPacks(source, repository, { snapshot, file, signal })) {
    const { sha256, bytes } = await sumFile(file)
    const kept = join(staging, `${sha256}.pack`)
    await rename(file, kept)
    packs.push({ file: kept, hash: sha256, size: bytes })
  }
  return packs
}

interface EarlierMoveInput {
  databaseUrl: string
  /** Path of the embedded database. */
  snapshot: DatabaseSnapshot
  repositories: readonly CapturedRepository[]
  shapes: readonly TableShape[]
}

/**
 * Determines whether PostgreSQL already holds the contents of the embedded database, row by row and branch by branch.
 * If so, an earlier move was committed but never confirmed.
 *
 * @returns The checksums of all tables; null if anything differs.
 */
async function findEarlierMove(input: EarlierMoveInput): Promise<ReadonlyMap<string, TableSum> | null> {
  const { databaseUrl, snapshot, repositories, shapes } = input
  const moved = await openPostgresSnapshot(databaseUrl)
  try {
    if (!isDeepStrictEqual(moved.migrations, snapshot.migrations)) return null
    const records = await moved.listRepositories()
    const isSame = records.every(({ id, state }, index) => {
      const own = repositories[index]
      return own?.id === id && state !== null && state.head === own.head && isDeepStrictEqual(state.refs, own.refs)
    })
    if (!isSame || records.length !== repositories.length) return null
    const sums = new Map<string, TableSum>()
    for (const shape of shapes) {
      const sum = await sumRows(moved, shape)
      if (!isDeepStrictEqual(sum, await sumRows(snapshot, shape))) return null
      sums.set(shape.name, sum)
    }
    return sums
  } finally {
    await moved.close()
  }
}
