import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitProcess } from '../run-git.ts'

/** Most cached announcements; our repositories have only two or three different configurations. */
const keptMax = 50
const announcementBytesMax = 16 * 1024

/**
 * Caches git's reply to the first request of a protocol v2 fetch: its capabilities, nothing about the repository's
 * contents. The reply depends only on git's version and the repository's configuration, so caching it saves every fetch
 * or update check one process.
 */
export class FetchAnnouncements {
  readonly #known = new Map<string, Buffer>()

  /** @returns What the announcement depends on; null if it depends on something else, too. */
  async findKey({ gitDirectory, protocol }: { gitDirectory: string; protocol: string | null }): Promise<string | null> {
    if (protocol !== 'version=2') return null
    const configuration = await readFile(join(gitDirectory, 'config'), 'utf8').catch(() => null)
    // Included files are not read.
    return configuration === null || /include/i.test(configuration) ? null : configuration
  }

  get(key: string): Buffer | null {
    return this.#known.get(key) ?? null
  }

  /**
   * Caches a process's output if it succeeds. Somebody else must consume the output.
   *
   * Resolves when the process has ended; never rejects.
   */
  async keep(key: string, git: GitProcess): Promise<void> {
    const chunks: Buffer[] = []
    let size = 0
    git.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= announcementBytesMax) chunks.push(chunk)
    })
    const exitCode = await git.ended.then((outcome) => outcome.exitCode).catch(() => null)
    const isWhole = exitCode === 0 && size > 0 && size <= announcementBytesMax
    if (isWhole && this.#known.size < keptMax) this.#known.set(key, Buffer.concat(chunks))
  }
}
