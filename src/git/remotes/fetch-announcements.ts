import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitProcess } from '../run-git.ts'

/** Of announcements that are kept; repositories of ours have two or three different configurations. */
const keptMax = 50
const announcementBytesMax = 16 * 1024

/**
 * What git answers to the first request of a fetch in version 2 of the protocol: what it is able to, and nothing of what
 * the repository holds. It follows from the release of git and the repository's configuration, so that it is asked for
 * once, and every fetch and every look whether there is something new starts one process less.
 */
export class FetchAnnouncements {
  readonly #known = new Map<string, Buffer>()

  /** @returns What the announcement follows from; null where it also depends on something else. */
  async findKey({ gitDirectory, protocol }: { gitDirectory: string; protocol: string | null }): Promise<string | null> {
    if (protocol !== 'version=2') return null
    const configuration = await readFile(join(gitDirectory, 'config'), 'utf8').catch(() => null)
    // What it includes is not looked at.
    return configuration === null || /include/i.test(configuration) ? null : configuration
  }

  get(key: string): Buffer | null {
    return this.#known.get(key) ?? null
  }

  /**
   * Keeps what a process writes, if it ends well. Its output must be read by somebody else.
   *
   * Settles when it has ended; never rejects.
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
