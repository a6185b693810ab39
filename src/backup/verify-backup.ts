import { createHash, type Hash } from 'node:crypto'
import { isDeepStrictEqual, promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { parseJson } from '../base/parse-json.ts'
import { type ArchiveEntry, readArchive, readBytes } from './archive-reader.ts'
import { BackupError } from './backup-error.ts'
import {
  type BackupManifest,
  type EntrySum,
  formatVersion,
  listEntries,
  manifestName,
  manifestSchema,
} from './backup-manifest.ts'
import { sumChunks } from './sum-file.ts'

/** Decompression limit of a part. A longer row could not be stored either. */
const rawBytesMax = 512 * 1024 * 1024

const unpackGzip = promisify(gunzip)

interface TableRows {
  hash: Hash
  rowCount: number
}

/**
 * Reads a backup to the end and compares every part and every row with the manifest.
 *
 * @throws {BackupError} if anything is missing, unexpected or changed.
 */
export async function verifyBackup(file: string, signal: AbortSignal): Promise<BackupManifest> {
  const sums: { name: string; sum: EntrySum }[] = []
  const tables = new Map<string, TableRows>()
  let manifest: BackupManifest | null = null
  for await (const entry of readArchive(file)) {
    signal.throwIfAborted()
    if (entry.name === manifestName) manifest = parseManifest(file, (await readBytes(entry)).bytes)
    else sums.push({ name: entry.name, sum: await sumRows(file, entry, tables) })
  }
  if (manifest === null) throw damagedBackup(file, 'its end is missing')
  compareEntries(file, sums, manifest)
  for (const { name, rowCount, sha256 } of manifest.tables) {
    const found = tables.get(name)
    const hash = (found?.hash ?? createHash('sha256')).digest('hex')
    if (hash !== sha256 || (found?.rowCount ?? 0) !== rowCount)
      throw damagedBackup(file, `the rows of ${name} were changed`)
  }
  return manifest
}

function parseManifest(file: string, bytes: Buffer): BackupManifest {
  const parsed = manifestSchema.safeParse(parseJson(bytes.toString('utf8')))
  if (!parsed.success)
    throw damagedBackup(file, `its manifest cannot be read: ${z.prettifyError(parsed.error).slice(0, 500)}`)
  if (parsed.data.formatVersion <= formatVersion) return parsed.data
  throw new BackupError(`${file} was made by a newer version of Docent (${parsed.data.program}). Use that version.`)
}

async function sumRows(file: string, entry: ArchiveEntry, tables: Map<string, TableRows>): Promise<EntrySum> {
  const table = /^tables\/([a-z_]+)\//u.exec(entry.name)?.[1]
  if (table === undefined) return sumChunks(entry.body)
  const { bytes, sum } = await readBytes(entry)
  const raw = await unpackPart(file, entry.name, bytes)
  const rows = tables.get(table) ?? { hash: createHash('sha256'), rowCount: 0 }
  rows.hash.update(raw)
  rows.rowCount += countLines(raw)
  tables.set(table, rows)
  return sum
}

/** @throws {BackupError} if data is damaged, or would decompress beyond the limit. */
export async function unpackPart(file: string, name: string, bytes: Buffer): Promise<Buffer> {
  try {
    return await unpackGzip(bytes, { maxOutputLength: rawBytesMax })
  } catch (error) {
    throw damagedBackup(file, `${name} cannot be unpacked`, error)
  }
}

function countLines(raw: Buffer): number {
  let count = 0
  for (let at = raw.indexOf(10); at !== -1; at = raw.indexOf(10, at + 1)) count += 1
  return count
}

function compareEntries(file: string, found: readonly { name: string; sum: EntrySum }[], manifest: BackupManifest) {
  const expected = listEntries(manifest)
  for (const [index, { name, sum }] of expected.entries()) {
    const entry = found[index]
    if (entry?.name !== name) throw damagedBackup(file, `${name} is missing`)
    if (!isDeepStrictEqual(entry.sum, sum)) throw damagedBackup(file, `${name} was changed`)
  }
  const extra = found[expected.length]
  if (extra !== undefined) throw damagedBackup(file, `its manifest does not know ${extra.name}`)
}

export function damagedBackup(file: string, reason: string, cause?: unknown): BackupError {
  return new BackupError(
    `${file} is damaged: ${reason}. Copy it again from where the backup was made, or use another backup.`,
    { cause },
  )
}
