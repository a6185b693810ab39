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

/**
 * Writes a tar file that is there as a whole or not at all, readable by its owner alone: it has its name only once
 * everything is on the disk.
 */
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
    // The package declares the streams of browsers, which those of Node are.
    const output = createWriteStream(this.stagedFile, { flags: 'wx', mode: 0o600, flush: true })
    this.#written = pipeline(Readable.fromWeb(readable as unknown as ReadableStream), output)
    // Whoever writes next is told of it; until then it must not bring the process down.
    this.#written.catch(() => {})
  }

  /** @throws {BackupError} when there is no folder for the file. */
  static async create(file: string, mtime: Date): Promise<ArchiveWriter> {
    const folder = await stat(dirname(file)).catch(() => null)
    if (folder?.isDirectory() !== true) {
      throw new BackupError(`There is no folder ${dirname(file)} for the backup. Make it, or name another file.`)
    }
    await removeStale(file)
    return new ArchiveWriter(file, mtime)
  }

  /** Where it is written until it is complete. Files beside it whose names begin with this one are removed with it. */
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

  /** Gives the archive its name. */
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

  /** Removes what was written. */
  async abandon(): Promise<void> {
    this.#controller.error(new Error('The backup was given up.'))
    await this.#written.catch(() => undefined)
    await rm(this.stagedFile, { force: true })
  }

  async #add(name: string, size: number, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    try {
      const writer = this.#controller.add({ name, size, mtime: this.#mtime, mode: 0o600, type: 'file' }).getWriter()
      for await (const chunk of chunks) await writer.write(chunk)
      await writer.close()
    } catch (error) {
      // Where the disk has failed, that is the reason, and not that the stream has ended.
      this.#controller.error(error)
      await this.#written
      throw error
    }
  }
}

/** What processes have left that were killed while they wrote the same backup. */
async function removeStale(file: string): Promise<void> {
  const folder = dirname(file)
  const prefix = `${basename(file)}.`
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(prefix) ? /^(\d+)\.unfinished(?:\.pack)?$/u.exec(name.slice(prefix.length))?.[1] : null
    // One with the number of this process is from another that had it before.
    const isStale = typeof pid === 'string' && (Number(pid) === process.pid || !isAlive(Number(pid)))
    if (isStale) await rm(join(folder, name), { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It runs as somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
