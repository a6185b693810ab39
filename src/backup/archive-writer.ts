import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createTarPacker } from 'modern-tar'
import { BackupError } from './backup-error.ts'
import type { EntrySum } from './backup-manifest.ts'

type Packer = ReturnType<typeof createTarPacker>

/** Writes a tar file atomically and readable by its owner only: it gets its final name once everything is on disk. */
export class ArchiveWriter {
  readonly #file: string
  readonly #mtime: Date
  readonly #controller: Packer['controller']
  readonly #written: Promise<void>

  private constructor(file: string, mtime: Date) {
    this.#file = file
    this.#mtime = mtime
    const { readable, controller } = createTarPacker()
    this.#controller = controller
    // The package declares web streams, which Node's are compatible with.
    const output = createWriteStream(this.stagedFile, { flags: 'wx', mode: 0o600, flush: true })
    this.#written = pipeline(Readable.fromWeb(readable as unknown as ReadableStream), output)
    // The next write reports the error; until then it must not crash the process.
    this.#written.catch(() => {})
  }

  /** @throws {BackupError} if the target folder does not exist. */
  static async create(file: string, mtime: Date): Promise<ArchiveWriter> {
    const folder = await stat(dirname(file)).catch(() => null)
    if (folder?.isDirectory() !== true) {
      throw new BackupError(`There is no folder ${dirname(file)} for the backup. Make it, or name another file.`)
    }
    await removeStale(file)
    return new ArchiveWriter(file, mtime)
  }

  /** Temporary path. Files whose names begin with it are removed together with it. */
  get stagedFile(): string {
    return `${this.#file}.${process.pid}.unfinished`
  }

  async addBytes(name: string, bytes: Uint8Array): Promise<EntrySum> {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await this.#add(name, bytes.length, [bytes])
    return { bytes: bytes.length, sha256 }
  }

  async addFile(name: string, { file, sum }: { file: string; sum: EntrySum }): Promise<void> {
    await this.#add(name, sum.bytes, createReadStream(file))
  }

  /** Gives the archive its final name. */
  async finish(): Promise<void> {
    this.#controller.finalize()
    await this.#written
    await rename(this.stagedFile, this.#file)
    const folder = await open(dirname(this.#file), 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  }

  /** Deletes what was written so far. */
  async abandon(): Promise<void> {
    this.#controller.error(new Error('The backup was abandoned.'))
    await this.#written.catch(() => undefined)
    await rm(this.stagedFile, { force: true })
  }

  async #add(name: string, size: number, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    try {
      const writer = this.#controller.add({ name, size, mtime: this.#mtime, mode: 0o600, type: 'file' }).getWriter()
      for await (const chunk of chunks) await writer.write(chunk)
      await writer.close()
    } catch (error) {
      // If the disk failed, report that rather than the resulting end of the stream.
      this.#controller.error(error)
      await this.#written
      throw error
    }
  }
}

/** Removes temporary files of processes that were killed while writing the same backup. */
async function removeStale(file: string): Promise<void> {
  const folder = dirname(file)
  const prefix = `${basename(file)}.`
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(prefix) ? /^(\d+)\.unfinished(?:\.pack)?$/u.exec(name.slice(prefix.length))?.[1] : null
    // A file with this process's id was left by an earlier process that had the same id.
    const isStale = typeof pid === 'string' && (Number(pid) === process.pid || !isAlive(Number(pid)))
    if (isStale) await rm(join(folder, name), { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
