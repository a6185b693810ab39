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
  /** Size in bytes, as declared by the archive. */
  size: number
  /** Read it to the end before asking for the next entry. */
  body: AsyncIterable<Uint8Array>
}

const megabyte = 1024 * 1024

/**
 * What an archive may contain: exactly these names, so that no entry escapes the folder, with sizes that fit memory and
 * disk.
 */
const allowedEntries: readonly { pattern: RegExp; bytesMax: number }[] = [
  { pattern: /^tables\/[a-z_]{1,63}\/\d{6}\.jsonl\.gz$/u, bytesMax: 512 * megabyte },
  { pattern: /^repositories\/[\w-]{1,100}\/[0-9a-f]{64}\.pack$/u, bytesMax: 64 * 1024 * megabyte },
  { pattern: new RegExp(`^${secretName}$`, 'u'), bytesMax: 4_096 },
  { pattern: /^manifest\.json$/u, bytesMax: 256 * megabyte },
]

/**
 * Yields the entries of a tar file in order. Writes nothing and accepts only the names that backups use.
 *
 * @throws {BackupError} if the file is not a backup, is truncated or was modified.
 */
export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  await assertBackupFile(file)
  const source = Readable.toWeb(createReadStream(file))
  // The package declares web streams, which Node's are compatible with.
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
      if (names.has(manifestName)) throw notOurs(file, 'there is something after its end')
      names.add(name)
      yield { name, size, body: explainBreaks(file, body) }
    }
  } catch (error) {
    throw explainBreak(file, error)
  }
  if (!names.has(manifestName)) throw notOurs(file, 'its end is missing')
}

/** @throws {BackupError} if the file does not exist. */
export async function assertBackupFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found?.isFile() !== true) throw new BackupError(`There is no file ${file}. Name a file that docent backup made.`)
}

/** A file that ends inside an entry fails for the reader of that entry. */
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

/** Decoder failures have no error class of their own; system failures have a code. */
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

/** The bytes of an entry and their checksum. */
export async function readBytes({ body }: ArchiveEntry): Promise<{ bytes: Buffer; sum: EntrySum }> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  return { bytes, sum: { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') } }
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
