import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { hasItsDigest } from '../../search/index-file/index-digest.ts'
import type { OpenIndexHooks, SearchEngine } from '../../search/search-engine.ts'
import type { SearchIndex } from '../../search/search-query.ts'

/**
 * State of an open index file on disk.
 *
 * - `whole`: unchanged since it was opened.
 * - `unnamed`: it still answers but cannot be reopened: its file was removed, replaced or made unreadable.
 * - `damaged`: its bytes have changed.
 */
export type IndexFileState = 'whole' | 'unnamed' | 'damaged'

/** An index that cannot be opened or has changed since it was built. Rebuild or fetch it. */
export class IndexDamagedError extends Error {
  override readonly name = 'IndexDamagedError'
}

/** Reading a whole file can take seconds: failing searches must not trigger it each time. */
const readAgainMs = 10_000

/** An open index file, verified against the digest in its name before it is opened and whenever it changes. */
export class OpenIndexFile {
  readonly index: SearchIndex
  readonly #path: string
  #known: Stats
  #readAt = performance.now()
  #checking: Promise<IndexFileState> | null = null

  private constructor(index: SearchIndex, path: string, known: Stats) {
    this.index = index
    this.#path = path
    this.#known = known
  }

  /** @throws {IndexDamagedError} */
  static async open(search: SearchEngine, path: string, hooks: OpenIndexHooks): Promise<OpenIndexFile> {
    try {
      const known = await stat(path)
      if (!(await hasItsDigest(path))) throw new Error(`The checksum of ${path} does not match.`)
      return new OpenIndexFile(await search.open(path, hooks), path, known)
    } catch (error) {
      if (isOutOfHandles(error)) throw error
      throw new IndexDamagedError(error instanceof Error ? error.message : String(error), { cause: error })
    }
  }

  /** @param isSuspect Verifies the file even if its metadata is unchanged. */
  check(isSuspect = false): Promise<IndexFileState> {
    this.#checking ??= this.#look(isSuspect).finally(() => {
      this.#checking = null
    })
    return this.#checking
  }

  close(): Promise<void> {
    return this.index.close()
  }

  async #look(isSuspect: boolean): Promise<IndexFileState> {
    const found = await stat(this.#path).catch(() => null)
    if (found === null) return 'unnamed'
    const isTouched = !isSameFile(found, this.#known) || found.ctimeMs !== this.#known.ctimeMs
    const isDue = isSuspect && performance.now() - this.#readAt > readAgainMs
    if (!isTouched && !isDue) return 'whole'
    this.#readAt = performance.now()
    try {
      if (await hasItsDigest(this.#path)) {
        this.#known = found
        return 'whole'
      }
    } catch (error) {
      if (isOutOfHandles(error)) return 'whole'
      return 'unnamed'
    }
    return isSameFile(found, this.#known) ? 'damaged' : 'unnamed'
  }
}

function isSameFile(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev
}

/** Not the file's fault. */
function isOutOfHandles(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:EMFILE|ENFILE)$/.test(String(error.code))
}
