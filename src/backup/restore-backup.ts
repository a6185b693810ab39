import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listMigrations } from '../store/migrations/create-tables.ts'
import type { FillInput } from '../store/migrations/fill-database.ts'
import type { BlobContents } from '../store/blobs/blobs.ts'
import { lockFolder } from '../store/lock-folder.ts'
import { recordRepository } from '../store/hosting/record-repository.ts'
import { describeTables } from '../store/migrations/table-shapes.ts'
import { BackupError, explainFullDisk } from './backup-error.ts'
import type { BackupManifest, BackupRepository } from './backup-manifest.ts'
import { assertEmptyFolder, putInPlace } from './put-in-place.ts'
import { assertShapes, listPackFiles, restoreRows, type RestoredRows } from './restore-rows.ts'
import { verifyBackup } from './verify-backup.ts'
import { createBareRepository } from '../git/repositories/bare-repository.ts'
import { installPack, replaceRefs } from '../git/repositories/repository-contents.ts'

export interface RestoreInput {
  file: string
  /** Absolute path of the data folder; created if missing. */
  dataFolder: string
  /** PostgreSQL and its pack storage; null for the embedded database in the data folder. */
  shared: { databaseUrl: string; contents: Pick<BlobContents, 'write'> } | null
  /** Whether existing data may be replaced. */
  replaces: boolean
  /** Time of the restore, which also names the folder for previous data. */
  now: number
  signal: AbortSignal
}

export interface RestoreOutcome {
  manifest: BackupManifest
  rowCount: number
  /** Where the previous contents of the data folder are now; null if it was empty. */
  replacedFolder: string | null
}

/**
 * Restores a backup into an empty data folder or database: completely, compared row by row, or not at all.
 *
 * @throws {BackupError}
 * @throws {FolderInUseError} if a server runs on the folder.
 */
export async function restoreBackup(input: RestoreInput): Promise<RestoreOutcome> {
  const { dataFolder, shared, replaces } = input
  const free = await lockFolder(dataFolder)
  const staging = join(dataFolder, 'restore.unfinished')
  try {
    if (shared === null && !replaces) await assertEmptyFolder(dataFolder)
    // Left by a process that was killed.
    await rm(staging, { recursive: true, force: true })
    await mkdir(staging, { mode: 0o700 })
    return await restoreInto(staging, input)
  } catch (error) {
    throw explainFullDisk(error, `what is restored to ${dataFolder} or to the database`)
  } finally {
    await rm(staging, { recursive: true, force: true })
    free()
  }
}

async function restoreInto(staging: string, input: RestoreInput): Promise<RestoreOutcome> {
  const { file, shared, now, signal, replaces } = input
  const manifest = await verifyBackup(file, signal)
  const newest = listMigrations().at(-1) ?? ''
  if (!listMigrations().includes(manifest.migration)) {
    throw new BackupError(
      `${file} was made by a newer version of Docent (${manifest.program}), or by one from before the first release: this one does not know its migration ${manifest.migration}. Use that version.`,
    )
  }
  const shapes = await describeTables(manifest.migration)
  assertShapes(file, manifest, shapes)
  const packFolder = join(staging, 'packs')
  const repositoryFolder = join(staging, 'repositories')
  let restored: RestoredRows | null = null
  const load: FillInput['load'] = async (loader, transaction) => {
    const rows = await restoreRows({ file, manifest, shapes, loader, packFolder, signal })
    restored = rows
    await mkdir(repositoryFolder, { recursive: true, mode: 0o700 })
    for (const repository of manifest.repositories) {
      const packs = listPackFiles(packFolder, repository)
      const folder = rows.folders.get(repository.id) ?? null
      const gitDirectory = resolveRepositoryFolder(repositoryFolder, { id: repository.id, folder })
      await buildRepository({ repository, gitDirectory, packFiles: packs.map((pack) => pack.file) }, signal)
      if (shared === null) continue
      const refs = new Map(Object.entries(repository.refs))
      const stored = packs.map(({ file: pack, sum }) => ({ file: pack, hash: sum.sha256, size: sum.bytes }))
      await recordRepository(
        transaction,
        { ...repository, refs, packs: stored, contents: shared.contents, now },
        signal,
      )
    }
    assertComplete(file, manifest, rows)
  }
  const filling = { migration: manifest.migration, newest, shapes, now, load }
  const { sums } = await fill(staging, { filling, shared, replaces })
  const secret = (restored as RestoredRows | null)?.secret ?? null
  const replacedFolder = await putInPlace({ ...input, staging, secret, hasDatabase: shared === null })
  return { manifest, rowCount: [...sums.values()].reduce((sum, { rowCount }) => sum + rowCount, 0), replacedFolder }
}

/** Drivers are loaded on demand: each command needs only one. */
async function fill(
  staging: string,
  { filling, shared, replaces }: { filling: FillInput; shared: RestoreInput['shared']; replaces: boolean },
) {
  if (shared === null) {
    const { fillSqlite } = await import('../store/sqlite/fill-sqlite.ts')
    return fillSqlite(join(staging, 'database'), filling)
  }
  const { fillPostgres } = await import('../store/postgres/fill-postgres.ts')
  return fillPostgres({ ...filling, databaseUrl: shared.databaseUrl, replaces })
}

/** A repository row without files could not be opened. */
function assertComplete(file: string, { repositories }: BackupManifest, { folders }: RestoredRows): void {
  const missing = [...folders.keys()].find((id) => !repositories.some((repository) => repository.id === id))
  if (missing !== undefined)
    throw new BackupError(`${file} has no files for the repository ${missing}. Use another backup.`)
}

interface BuildRepositoryInput {
  repository: Pick<BackupRepository, 'id' | 'head' | 'refs' | 'shallow'>
  /** Absolute path; created. */
  gitDirectory: string
  packFiles: readonly string[]
}

/** Creates a bare repository from packs and refs. Git verifies every object, and that all refs resolve. */
async function buildRepository(input: BuildRepositoryInput, signal: AbortSignal): Promise<void> {
  const { repository, gitDirectory, packFiles } = input
  try {
    await createBareRepository(gitDirectory)
    for (const file of packFiles) await installPack({ gitDirectory, file }, signal)
    const { head, shallow } = repository
    await replaceRefs({ gitDirectory, head, refs: new Map(Object.entries(repository.refs)), shallow }, signal)
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    throw new BackupError(`The repository ${repository.id} cannot be made from the backup: ${reason}`, { cause: error })
  }
}

/**
 * Folder names come from database rows: accept only names the service itself generates, so that none escapes the
 * folder.
 */
function resolveRepositoryFolder(repositoryFolder: string, { id, folder }: { id: string; folder: unknown }): string {
  if (folder === `${id}.git`) return join(repositoryFolder, folder)
  throw new BackupError(
    `The backup names the folder ${JSON.stringify(folder)} for the repository ${id}, which no Docent has made. It was changed: use another one.`,
  )
}
