import { createHash } from 'node:crypto'
import { isRecent } from '../../base/is-recent.ts'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { nameVectorFile } from '../../search/vectors/vector-file-format.ts'
import { type Blob, BlobDamagedError, BlobMissingError, type BlobStore } from '../../store/blobs/blobs.ts'
import { deleteIndexBlob, findIndexBlob, type IndexBlob, setIndexBlob } from '../../store/sites/index-blobs.ts'
import { type IndexGeneration, listIndexFiles } from '../../store/sites/index-generations.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import type { Log } from '../../telemetry/log.ts'

export interface IndexCacheDeps extends StoreDeps {
  blobs: BlobStore
  log: Log
  /** Folder of this machine's index files. */
  indexFolder: string
  /** Most bytes in the folder, except for files in use. */
  bytesMax: number
}

type CachedGeneration = Pick<IndexGeneration, 'id' | 'file'>

/** The index exists but cannot be fetched right now: rebuilding it would not help. */
export class IndexUnavailableError extends Error {
  override readonly name = 'IndexUnavailableError'

  constructor(cause: unknown) {
    super('Cannot fetch the index right now. Check the database and the bucket.', { cause })
  }
}

/** A file used within this time counts as in use: no answer runs longer. */
export const indexHeldMs = 15 * 60_000

/** Delay between two checks for missing vectors. */
const vectorLookMs = 5_000

const fetchMsMax = 10 * 60_000

/** The files of one index: the index itself and its vectors. */
interface CachedIndex {
  file: string
  bytes: number
  usedAt: number
}

/**
 * Local index files where several processes share a database but no folder: fetched on demand, and evicted least
 * recently used first.
 */
export class IndexCache {
  readonly #deps: IndexCacheDeps
  readonly #fetching = new Map<string, Promise<string>>()
  readonly #usedAt = new Map<string, number>()
  /** Per vector file: its hash, and when that was last looked up. */
  readonly #vectors = new Map<string, { hash: string | null; lookedAt: number }>()
  #onRemove: (file: string) => void = () => {}

  constructor(deps: IndexCacheDeps) {
    this.#deps = deps
  }

  /** @param listener Called before an idle index is evicted, to close it. */
  onRemove(listener: (file: string) => void): void {
    this.#onRemove = listener
  }

  /** Marks a file as in use. */
  use(file: string): void {
    this.#usedAt.set(file, this.#deps.clock.now())
  }

  async has({ file }: CachedGeneration): Promise<boolean> {
    return (await stat(join(this.#deps.indexFolder, file)).catch(() => null)) !== null
  }

  /**
   * Fetches the index of a generation unless it is here. Concurrent callers share one fetch.
   *
   * @returns The path of its file; the file does not exist for a generation that was never shared.
   * @throws {BlobMissingError}
   * @throws {BlobDamagedError}
   * @throws {IndexUnavailableError}
   */
  async bring(generation: CachedGeneration): Promise<string> {
    this.use(generation.file)
    const path = join(this.#deps.indexFolder, generation.file)
    if (await this.has(generation)) return path
    const fetching =
      this.#fetching.get(generation.id) ??
      this.#fetch(generation, path).finally(() => this.#fetching.delete(generation.id))
    this.#fetching.set(generation.id, fetching)
    return fetching
  }

  /** Removes unreadable vectors, so that they are fetched again. */
  async discardVectors({ file }: CachedGeneration): Promise<void> {
    this.#vectors.delete(file)
    await rm(join(this.#deps.indexFolder, nameVectorFile(file)), { force: true })
  }

  /** Removes an unreadable file, so that it is fetched again. */
  async discard({ file }: CachedGeneration): Promise<void> {
    await this.#remove(file)
  }

  /** Removes the files of an index that is no longer needed. */
  async drop(file: string): Promise<void> {
    this.#usedAt.delete(file)
    await this.#remove(file)
  }

  /** Fetches the vectors of an index once they exist. Cheap to call often; never rejects. */
  async fetchVectors({ id, file }: CachedGeneration): Promise<void> {
    const { store, blobs, clock, log, indexFolder } = this.#deps
    const known = this.#vectors.get(file)
    if (known !== undefined && isRecent(known.lookedAt, vectorLookMs, clock.now())) return
    this.#vectors.set(file, { hash: known?.hash ?? null, lookedAt: clock.now() })
    try {
      const found = await findIndexBlob(store.durable, id, 'vectors')
      if (found === null || found.hash === known?.hash) return
      const path = join(indexFolder, nameVectorFile(file))
      await blobs.download(found.hash, path, AbortSignal.timeout(fetchMsMax))
      this.#vectors.set(file, { hash: found.hash, lookedAt: clock.now() })
      await this.trim()
    } catch (error) {
      log.warn({ error, file }, 'vectors-not-fetched')
      // The embedding worker finds them missing and rebuilds them.
      if (isBlobFault(error)) await deleteIndexBlob(store.durable, id, 'vectors').catch(() => undefined)
    }
  }

  /**
   * Uploads a file of a generation for all processes. The caller records its hash.
   *
   * @param isRepair Whether the stored copy may be damaged.
   */
  store(file: string, signal: AbortSignal, isRepair = false): Promise<Blob> {
    return this.#deps.blobs.put(join(this.#deps.indexFolder, file), signal, { isRepair })
  }

  /** Whether the shared copy of a generation is intact. Reads all of it. */
  async isSharedWhole({ id }: CachedGeneration, signal: AbortSignal): Promise<boolean> {
    const { store, blobs } = this.#deps
    const found = await findIndexBlob(store.durable, id, 'index')
    if (found === null) return false
    const digest = createHash('sha256')
    try {
      for await (const chunk of blobs.get(found.hash, signal)) digest.update(chunk)
    } catch (error) {
      if (isBlobFault(error)) return false
      throw error
    }
    return digest.digest('hex') === found.hash
  }

  /** Uploads the vectors of an index and records that they exist. */
  async shareVectors({ id, file }: CachedGeneration, model: string, signal: AbortSignal): Promise<void> {
    const name = nameVectorFile(file)
    const { hash } = await this.store(name, signal, true)
    await setIndexBlob(this.#deps.store.durable, { generationId: id, part: 'vectors', hash, model })
    this.#vectors.set(file, { hash, lookedAt: this.#deps.clock.now() })
  }

  /** The shared vectors of a generation, or null. */
  findVectors({ id }: CachedGeneration): Promise<IndexBlob | null> {
    return findIndexBlob(this.#deps.store.durable, id, 'vectors')
  }

  /** Removes files of deleted generations. */
  async removeUnnamed(): Promise<void> {
    const cached = await this.#list()
    // Listed after the folder, so that a file registered in between is included.
    const named = new Set(await listIndexFiles(this.#deps.store.durable))
    for (const { file, usedAt } of cached) {
      if (!named.has(file) && this.#isIdle(usedAt)) await this.#remove(file)
    }
  }

  /** Total size of this machine's files, in bytes. */
  async measure(): Promise<number> {
    return (await this.#list()).reduce((sum, { bytes }) => sum + bytes, 0)
  }

  get bytesMax(): number {
    return this.#deps.bytesMax
  }

  /** Evicts least recently used files until the rest fits. */
  async trim(): Promise<void> {
    const cached = await this.#list()
    let total = cached.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { file, bytes, usedAt } of cached.sort((one, other) => one.usedAt - other.usedAt)) {
      if (total <= this.#deps.bytesMax || !this.#isIdle(usedAt)) return
      this.#onRemove(file)
      await this.#remove(file)
      total -= bytes
      this.#deps.log.info({ file, bytes }, 'index-evicted')
    }
  }

  async #fetch({ id, file }: CachedGeneration, path: string): Promise<string> {
    const { store, blobs, log } = this.#deps
    const found = await findIndexBlob(store.durable, id, 'index').catch((error: unknown) => {
      throw new IndexUnavailableError(error)
    })
    if (found === null) return path
    const startedAt = performance.now()
    await blobs.download(found.hash, path, AbortSignal.timeout(fetchMsMax)).catch((error: unknown) => {
      throw isBlobFault(error) ? error : new IndexUnavailableError(error)
    })
    log.info({ file, bytes: found.size, durationMs: Math.round(performance.now() - startedAt) }, 'index-fetched')
    await this.trim().catch((error: unknown) => log.warn({ error }, 'indexes-not-trimmed'))
    return path
  }

  #isIdle(usedAt: number): boolean {
    return this.#deps.clock.now() - usedAt > indexHeldMs
  }

  async #remove(file: string): Promise<void> {
    const { indexFolder } = this.#deps
    this.#vectors.delete(file)
    for (const name of [file, nameVectorFile(file)]) await rm(join(indexFolder, name), { force: true })
  }

  /** Files still being written have other names and are not listed. */
  async #list(): Promise<CachedIndex[]> {
    const { indexFolder } = this.#deps
    const names = await readdir(indexFolder).catch(() => [])
    const cached: CachedIndex[] = []
    for (const file of names.filter((name) => /^gen_\w+\.sqlite$/.test(name))) {
      const found = await stat(join(indexFolder, file)).catch(() => null)
      if (found === null) continue
      const vectors = await stat(join(indexFolder, nameVectorFile(file))).catch(() => null)
      const bytes = found.size + (vectors?.size ?? 0)
      cached.push({ file, bytes, usedAt: this.#usedAt.get(file) ?? found.mtimeMs })
    }
    return cached
  }
}

/** Whether the shared copy itself is damaged, so that it must be rebuilt. */
export function isBlobFault(error: unknown): boolean {
  return error instanceof BlobMissingError || error instanceof BlobDamagedError
}
