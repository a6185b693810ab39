import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobContents } from '../store/blobs.ts'
import { listMigrations } from '../store/create-tables.ts'
import { fillPostgres } from '../store/fill-postgres.ts'
import { lockFolder } from '../store/lock-folder.ts'
import { assertKnownMigrations, judgeMigrations } from '../store/migration-state.ts'
import { recordRepository, type RecordRepositoryInput } from '../store/record-repository.ts'
import type { DatabaseSnapshot } from '../store/row-reader.ts'
import type { TableSum } from '../store/row-sum.ts'
import { openSqliteSnapshot } from '../store/sqlite-snapshot.ts'
import { describeTables } from '../store/table-shapes.ts'
import { BackupError, explainFullDisk } from './backup-error.ts'
import { type CapturedRepository, eachPack, openCapture, type RepositorySource } from './capture-repositories.ts'
import { sumFile } from './sum-file.ts'

export interface MoveInput {
  dataFolder: string
  repositoryFolder: string
  databaseUrl: string
  /** Where the packs of repositories are stored. */
  contents: Pick<BlobContents, 'write'>
  /** Whether what is in the database may go. */
  replaces: boolean
  now: number
  signal: AbortSignal
}

export interface MoveOutcome {
  /** Of each table: how many rows there are, and what they come to, on both sides. */
  sums: ReadonlyMap<string, TableSum>
  repositoryCount: number
}

/**
 * Copies the embedded database with its repositories to PostgreSQL, in one transaction there, and compares both row by
 * row. The embedded one stays as it is. Nobody may use it meanwhile, and after a break the command is run again.
 *
 * @throws {FolderInUseError} when a server runs on the folder.
 * @throws {DatabaseNotEmptyError}
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
      const { executed, ...state } = judgeMigrations(snapshot.migrations)
      assertKnownMigrations({ executed, ...state })
      const migration = executed.at(-1)
      if (migration === undefined) throw new BackupError('The embedded database is empty: there is nothing to move.')
      const shapes = await describeTables(migration)
      const { sums } = await fillPostgres({
        ...input,
        migration,
        newest: listMigrations().at(-1) ?? migration,
        shapes,
        load: async (loader, transaction) => {
          for (const shape of shapes) {
            for await (const rows of snapshot.read(shape)) {
              signal.throwIfAborted()
              await loader.write(shape, rows)
            }
          }
          for (const repository of repositories) {
            const packs = await stagePacks(source, repository, { snapshot, staging, signal })
            await recordRepository(transaction, { ...input, ...repository, packs }, signal)
            for (const { file } of packs) await rm(file, { force: true })
          }
        },
      })
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

async function stagePacks(
  source: RepositorySource,
  repository: CapturedRepository,
  { snapshot, staging, signal }: { snapshot: DatabaseSnapshot; staging: string; signal: AbortSignal },
): Promise<RecordRepositoryInput['packs']> {
  const packs = []
  const file = join(staging, 'next.pack')
  for await (const _ of eachPack(source, repository, { snapshot, file, signal })) {
    const { sha256, bytes } = await sumFile(file)
    const kept = join(staging, `${sha256}.pack`)
    await rename(file, kept)
    packs.push({ file: kept, hash: sha256, size: bytes })
  }
  return packs
}
