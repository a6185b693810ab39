import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { RowLoader } from '../store/migrations/load-rows.ts'
import type { Row } from '../store/migrations/row-reader.ts'
import { decodeRow } from '../store/migrations/row-sum.ts'
import type { TableShape } from '../store/migrations/table-shapes.ts'
import { type ArchiveEntry, readArchive, readBytes, saveEntry } from './archive-reader.ts'
import { BackupError } from './backup-error.ts'
import { type BackupManifest, type EntrySum, listEntries, secretName } from './backup-manifest.ts'
import { damagedBackup, unpackPart } from './verify-backup.ts'
import { sumChunks } from './sum-file.ts'

export interface RestoreRowsInput {
  file: string
  /** Manifest of the verified file. */
  manifest: BackupManifest
  shapes: readonly TableShape[]
  loader: RowLoader
  /** Where packs are kept until the rows are written. Created. */
  packFolder: string
  signal: AbortSignal
}

export interface RestoredRows {
  secret: string | null
  /** The folder of each repository by id, as recorded in its row. */
  folders: ReadonlyMap<string, Row[number]>
}

/**
 * The tables of a backup must be those that its migration creates, because table and column names become part of
 * statements.
 *
 * @throws {BackupError}
 */
export function assertShapes(file: string, { tables }: BackupManifest, shapes: readonly TableShape[]): void {
  const found = tables.map(({ name, columns }) => ({ name, columns }))
  const expected = shapes.map(({ name, columns }) => ({ name, columns }))
  if (!isDeepStrictEqual(found, expected))
    throw damagedBackup(file, 'its tables are not those of the version that it names')
}

/** Reads a backup again and yields its rows. Fails if it changed since verification. */
export async function restoreRows(input: RestoreRowsInput): Promise<RestoredRows> {
  const { file, manifest, packFolder, signal } = input
  await mkdir(packFolder, { recursive: true, mode: 0o700 })
  const sums = new Map(listEntries(manifest).map(({ name, sum }) => [name, sum]))
  const folders = new Map<string, Row[number]>()
  let secret: string | null = null
  for await (const entry of readArchive(file)) {
    signal.throwIfAborted()
    const expected = sums.get(entry.name)
    if (expected === undefined) await sumChunks(entry.body)
    else if (entry.name.startsWith('repositories/')) {
      assertSame(file, entry, await saveEntry(entry, packPlace(packFolder, expected)), expected)
    } else {
      const { bytes, sum } = await readBytes(entry)
      assertSame(file, entry, sum, expected)
      if (entry.name === secretName) secret = bytes.toString('utf8').trim()
      else await loadPart(input, { entry, bytes, folders })
    }
  }
  return { secret, folders }
}

/** Where the packs of a repository are then. */
export function listPackFiles(
  packFolder: string,
  repository: BackupManifest['repositories'][number],
): { file: string; sum: EntrySum }[] {
  return repository.packs.map((sum) => ({ file: packPlace(packFolder, sum), sum }))
}

function packPlace(packFolder: string, { sha256 }: EntrySum): string {
  return join(packFolder, `${sha256}.pack`)
}

function assertSame(file: string, { name }: ArchiveEntry, found: EntrySum, expected: EntrySum): void {
  if (!isDeepStrictEqual(found, expected)) throw damagedBackup(file, `${name} was changed`)
}

async function loadPart(
  { file, shapes, loader }: RestoreRowsInput,
  { entry, bytes, folders }: { entry: ArchiveEntry; bytes: Buffer; folders: Map<string, Row[number]> },
): Promise<void> {
  const shape = shapes.find(({ name }) => entry.name.startsWith(`tables/${name}/`))
  if (shape === undefined) throw damagedBackup(file, `it has no table for ${entry.name}`)
  const lines = (await unpackPart(file, entry.name, bytes)).toString('utf8').split('\n').slice(0, -1)
  const rows = lines.map((line) => {
    const row = decodeRow(line, shape.columns.length)
    if (row === null) throw damagedBackup(file, `${entry.name} holds a line that is no row of ${shape.name}`)
    return row
  })
  if (shape.name === 'repositories') for (const row of rows) trackFolder(shape, row, folders)
  try {
    await loader.write(shape, rows)
  } catch (error) {
    if (!isRefusedByTable(error)) throw error
    throw new BackupError(
      `${file} cannot be restored: the database refuses rows of ${shape.name}: ${error.message}. Nothing was kept.`,
      { cause: error },
    )
  }
}

function trackFolder(shape: TableShape, row: Row, folders: Map<string, Row[number]>): void {
  const [id, folder] = ['id', 'folder'].map((column) => row[shape.columns.indexOf(column)] ?? null)
  folders.set(String(id), folder ?? null)
}

/** Matches constraint and type errors of both databases. */
function isRefusedByTable(error: unknown): error is Error {
  return error instanceof Error && /constraint|invalid (?:input|byte)|datatype mismatch/iu.test(error.message)
}
