import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream, ReadableWritablePair } from 'node:stream/web'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { BackupError } from './backup-error.ts'
import { type EntrySum, manifestName, secretName } from './backup-manifest.ts'

export interface ArchiveEntry {
  name: string
  /** Bytes, as the archive says. */
  size: number
  /** To be read to its end before the next entry. */
  body: AsyncIterable<Uint8Array>
}

const megabyte = 1024 * 1024

/** What an archive may hold: exactly these names, so that none leads out of a folder, and sizes that memory and disks bear. */
const allowedEntries: readonly { pattern: RegExp; bytesMax: number }[] = [
  { pattern: /^tables\/[a-z_]{1,63}\/\d{6}\.jsonl\.gz$/u, bytesMax: 512 * megabyte },
  { pattern: /^repositories\/[\w-]{1,100}\/[0-9a-f]{64}\.pack$/u, bytesMax: 64 * 1024 * megabyte },
  { pattern: new RegExp(`^${secretName}$`, 'u'), bytesMax: 4_096 },
  { pattern: /^manifest\.json$/u, bytesMax: 256 * megabyte },
]

/**
 * The entries of a tar file in their order. Nothing is written anywhere, and nothing is believed but the names that
 * backups have.
 *
 * @throws {BackupError} for what is no backup, was broken off or was changed.
 */
export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  await assertBackupFile(file)
  const source = Readable.toWeb(createReadStream(file))
  // The package declares the streams of browsers, which those of Node are.
  const decoder = createTarDecoder({ strict: true }) as unknown as ReadableWritablePair<ParsedTarEntry, Uint8Array>
  const entries = (source as unknown as ReadableStream<Uint8Array>).pipeThrough(decoder)
  const names = new Set<string>()
  try {
    for await (const { header, body } of entries) {
      const { name, size } = header
      const allowed = allowedEntries.find(({ pattern }) => pattern.test(name))
      if (allowed === undefined || (header.type ?? 'file') !== 'file') throw notOurs(file, `it holds ${quote(name)}`)
      if (size > allowed.bytesMax) throw notOurs(file, `${name} is larger than any part of one`)
      if (names.has(name)) throw notOurs(file, `it holds ${name} twice`)
      if (names.has(manifestName)) throw notOurs(file, 'something stands after its end')
      names.add(name)
      yield { name, size, body: explainBreaks(file, body) }
    }
  } catch (error) {
    throw explainBreak(file, error)
  }
  if (!names.has(manifestName)) throw notOurs(file, 'its end is missing')
}

/** @throws {BackupError} when there is no such file. */
export async function assertBackupFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found?.isFile() !== true) throw new BackupError(`There is no file ${file}. Name a file that docent backup made.`)
}

/** Where the file ends within an entry, it is whoever reads the entry that is told. */
async function* explainBreaks(file: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw explainBreak(file, error)
  }
}

function explainBreak(file: string, error: unknown): unknown {
  if (error instanceof BackupError || !isOfTar(error)) return error
  return notOurs(file, error.message.replace(/\.$/u, ''), error)
}

/** Failures of the decoder have no class of their own; those of the system have a code. */
function isOfTar(error: unknown): error is Error {
  return error instanceof Error && !('code' in error)
}

function notOurs(file: string, reason: string, cause?: unknown): BackupError {
  return new BackupError(
    `${file} is not a whole backup: ${reason}. Make the copy again from where the backup was made, or use another backup.`,
    { cause },
  )
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 200))
}

/** The bytes of an entry, and what they come to. */
export async function readBytes({ body }: ArchiveEntry): Promise<{ bytes: Buffer; sum: EntrySum }> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  return { bytes, sum: { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') } }
}

/** What an entry comes to; its bytes are let go of. */
export async function sumEntry({ body }: ArchiveEntry): Promise<EntrySum> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of body) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Writes an entry to a file. @param file Chosen by the caller, never by the archive. */
export async function saveEntry({ body }: ArchiveEntry, file: string): Promise<EntrySum> {
  const hash = createHash('sha256')
  let bytes = 0
  const noted = async function* () {
    for await (const chunk of body) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  await pipeline(Readable.from(noted()), createWriteStream(file, { mode: 0o600 }))
  return { bytes, sha256: hash.digest('hex') }
}
