import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { assertKnownMigrations, compareMigrations } from '../store/migrations/migration-state.ts'
import type { DatabaseSnapshot } from '../store/migrations/row-reader.ts'
import { encodeRow } from '../store/migrations/row-sum.ts'
import { describeTables, type TableShape } from '../store/migrations/table-shapes.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { BackupError, explainFullDisk } from './backup-error.ts'
import {
  type BackupManifest,
  type BackupRepository,
  type BackupTable,
  type EntrySum,
  formatVersion,
  manifestName,
  packEntry,
  secretName,
  nameTableEntry,
} from './backup-manifest.ts'
import { type CapturedRepository, readPacks, openCapture, type RepositorySource } from './capture-repositories.ts'
import { sumFile } from './sum-file.ts'

export interface WriteBackupInput {
  /** Target file. An existing one is replaced once the new one is complete. */
  file: string
  database: BackupManifest['database']
  openSnapshot(): Promise<DatabaseSnapshot>
  repositories: RepositorySource
  program: string
  createdAt: Date
  /** Identifies the secret key; null if the installation has none. */
  secretCheck: string | null
  /** The secret key, if the backup is to include it. */
  secret: string | null
  signal: AbortSignal
}

/** Target size of a part: small enough to fit in memory several times. A longer row gets a part of its own. */
const partBytes = 4 * 1024 * 1024

const compress = promisify(gzip)

/**
 * Writes everything that cannot be regenerated into one file, as of one moment, while the service runs.
 *
 * @throws {BackupError} if there is no room, or the database is newer than this program.
 */
export async function writeBackup(input: WriteBackupInput): Promise<BackupManifest> {
  const { openSnapshot, repositories: source, signal } = input
  const archive = await ArchiveWriter.create(input.file, input.createdAt)
  try {
    const { snapshot, repositories } = await openCapture(openSnapshot, source, signal)
    try {
      const manifest = await writeEntries({ ...input, archive, snapshot, captured: repositories })
      await archive.addBytes(manifestName, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
      await archive.finish()
      return manifest
    } finally {
      await snapshot.close()
    }
  } catch (error) {
    await archive.abandon()
    throw explainFullDisk(error, `the backup ${input.file}`)
  }
}

interface Writing extends WriteBackupInput {
  archive: ArchiveWriter
  snapshot: DatabaseSnapshot
  captured: readonly CapturedRepository[]
}

async function writeEntries(writing: Writing): Promise<BackupManifest> {
  const { archive, snapshot, captured, secret, createdAt } = writing
  const state = compareMigrations(snapshot.migrations)
  assertKnownMigrations(state)
  const migration = state.executed.at(-1)
  if (migration === undefined) throw new BackupError('The database is empty: there is nothing to back up.')
  const repositories: BackupRepository[] = []
  for (const repository of captured) repositories.push(await writeRepository(writing, repository))
  const tables: BackupTable[] = []
  for (const shape of await describeTables(migration)) tables.push(await writeTable(writing, shape))
  return {
    format: 'docent-backup',
    formatVersion,
    program: writing.program,
    createdAt: createdAt.toISOString(),
    database: writing.database,
    migration,
    secretCheck: writing.secretCheck,
    secret: secret === null ? null : await archive.addBytes(secretName, Buffer.from(`${secret}\n`)),
    tables,
    repositories,
  }
}

async function writeRepository(writing: Writing, repository: CapturedRepository): Promise<BackupRepository> {
  const { archive, snapshot, repositories: source, signal } = writing
  const { id, head, refs, shallow } = repository
  const file = `${archive.stagedFile}.pack`
  const packs: EntrySum[] = []
  try {
    for await (const _ of readPacks(source, repository, { snapshot, file, signal })) {
      const sum = await sumFile(file)
      await archive.addFile(packEntry(id, sum.sha256), { file, sum })
      packs.push(sum)
    }
  } finally {
    await rm(file, { force: true })
  }
  return { id, head, refs: Object.fromEntries(refs), shallow, packs }
}

async function writeTable({ archive, snapshot, signal }: Writing, shape: TableShape): Promise<BackupTable> {
  const hash = createHash('sha256')
  const parts: EntrySum[] = []
  let [rowCount, bytes, lines] = [0, 0, [] as Buffer[]]
  const flush = async () => {
    if (lines.length === 0) return
    const raw = Buffer.concat(lines)
    hash.update(raw)
    parts.push(await archive.addBytes(nameTableEntry(shape.name, parts.length), await compress(raw)))
    ;[bytes, lines] = [0, []]
  }
  for await (const rows of snapshot.read(shape)) {
    signal.throwIfAborted()
    for (const row of rows) {
      const line = Buffer.from(`${encodeRow(row)}\n`)
      lines.push(line)
      bytes += line.length
      rowCount += 1
      if (bytes >= partBytes) await flush()
    }
  }
  await flush()
  return { name: shape.name, columns: [...shape.columns], rowCount, sha256: hash.digest('hex'), parts }
}
