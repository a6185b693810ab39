import { hourMs } from '../../base/durations.ts'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PostgresAdapter } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import type { Db } from '../schema.ts'
import type { Store } from '../store.ts'

/** Identifies stored content. */
export interface Blob {
  /** SHA-256 of the bytes, 64 hexadecimal digits. */
  hash: string
  /** Bytes. */
  size: number
}

/** Content-addressed files shared by replicas. */
export interface BlobStore {
  /**
   * Stores a file. Durable when this resolves; storing existing content is free.
   *
   * @param options.isRepair Overwrites existing content, which may be damaged.
   */
  put(file: string, signal: AbortSignal, options?: { isRepair: boolean }): Promise<Blob>
  /** Streams the bytes without verifying them. @throws {BlobMissingError} */
  get(hash: string, signal: AbortSignal): AsyncIterable<Uint8Array>
  has(hash: string): Promise<boolean>
  /**
   * Downloads content into a file. The file appears only once it is complete and verified against the hash.
   *
   * @throws {BlobMissingError}
   * @throws {BlobDamagedError} when the received bytes do not match the hash.
   */
  download(hash: string, file: string, signal: AbortSignal): Promise<void>
  /** Deletes an unreferenced blob. @returns Whether it was deleted; referenced blobs are kept. */
  delete(hash: string): Promise<boolean>
  /** Deletes blobs that have been unreferenced for an hour. @returns How many. */
  removeUnused(): Promise<number>
}

/** Storage of the bytes. The rows are managed by the blob store. */
export interface BlobContents {
  /** Overwrites existing content. @param db The transaction that has locked the blob's row. */
  write(db: Db, blob: Blob & { file: string }, signal: AbortSignal): Promise<void>
  /** @throws {BlobMissingError} */
  read(hash: string, signal: AbortSignal): AsyncIterable<Uint8Array>
  /** Called once the blob's row is deleted. Idempotent. */
  delete(hash: string): Promise<void>
}

/** No such content: it was removed because nothing references it any more, or deleted from the bucket. */
export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError'

  constructor(hash: string) {
    super(`The content ${hash} is missing. Whatever referenced it has been replaced, or somebody else deleted it.`)
  }
}

/** Stored content does not match its hash: something else changed it, or the disk failed. */
export class BlobDamagedError extends Error {
  override readonly name = 'BlobDamagedError'

  constructor(hash: string) {
    super(`The content stored for ${hash} does not match its hash. Check the database and the bucket.`)
  }
}

/** Stored blobs are referenced or stored again within this time; see `removeUnused`. */
const unnamedKeptMs = hourMs

const removedAtOnceMax = 1_000

/** Each put occupies a database connection; leave some in the pool for others. */
const putsAtOnceMax = 3

/**
 * Blobs in the database or in a bucket, each with a row in the database.
 *
 * The row is written and deleted in the same transaction as the bytes, so that of a concurrent put and deletion one
 * waits for the other.
 */
export class StoredBlobs implements BlobStore {
  readonly #store: Store
  readonly #clock: Clock
  readonly #contents: BlobContents
  readonly #waiting: (() => void)[] = []
  #puts = 0

  constructor(deps: { store: Store; clock: Clock; contents: BlobContents }) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#contents = deps.contents
  }

  async put(file: string, signal: AbortSignal, { isRepair } = { isRepair: false }): Promise<Blob> {
    const blob = { hash: await hashFile(file, signal), size: (await stat(file)).size }
    await this.#takeTurn()
    try {
      await this.#store.durable.transaction().execute(async (transaction) => {
        if ((await this.#touch(transaction, blob)) && !isRepair) return
        await this.#contents.write(transaction, { ...blob, file }, signal)
      })
      return blob
    } finally {
      this.#endTurn()
    }
  }

  get(hash: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
    return this.#contents.read(hash, signal)
  }

  async has(hash: string): Promise<boolean> {
    const row = await this.#store.durable.selectFrom('blobs').select('hash').where('hash', '=', hash).executeTakeFirst()
    return row !== undefined
  }

  async download(hash: string, file: string, signal: AbortSignal): Promise<void> {
    const staged = `${file}.${process.pid}.unfinished`
    const digest = createHash('sha256')
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    try {
      const chunks = reportEach(this.get(hash, signal), (chunk) => void digest.update(chunk))
      await pipeline(Readable.from(chunks), createWriteStream(staged, { mode: 0o600, flush: true }), { signal })
      if (digest.digest('hex') !== hash) {
        throw new BlobDamagedError(hash)
      }
      await rename(staged, file)
    } catch (error) {
      await rm(staged, { force: true })
      throw error
    }
  }

  delete(hash: string): Promise<boolean> {
    return this.#remove(hash, Infinity)
  }

  async removeUnused(): Promise<number> {
    const before = this.#clock.now() - unnamedKeptMs
    const rows = await this.#unnamed(this.#store.durable)
      .where('touchedAt', '<', before)
      .limit(removedAtOnceMax)
      .execute()
    let removed = 0
    for (const { hash } of rows) removed += (await this.#remove(hash, before)) ? 1 : 0
    return removed
  }

  /** @returns Whether the content exists. Locks its row either way, so that nobody deletes it in the meantime. */
  async #touch(transaction: Db, { hash, size }: Blob): Promise<boolean> {
    const now = this.#clock.now()
    const inserted = await transaction
      .insertInto('blobs')
      .values({ hash, size, touchedAt: now })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .returning('hash')
      .executeTakeFirst()
    if (inserted !== undefined) return false
    const known = await transaction
      .updateTable('blobs')
      .set({ touchedAt: now })
      .where('hash', '=', hash)
      .executeTakeFirst()
    return known.numUpdatedRows > 0n || this.#touch(transaction, { hash, size })
  }

  /** Keeps content that has been referenced or stored again since it was selected. */
  #remove(hash: string, touchedBefore: number): Promise<boolean> {
    return this.#store.durable.transaction().execute(async (transaction) => {
      const query = this.#unnamed(transaction).where('hash', '=', hash)
      const found = touchedBefore === Infinity ? query : query.where('touchedAt', '<', touchedBefore)
      const isPostgres = transaction.getExecutor().adapter instanceof PostgresAdapter
      if ((await (isPostgres ? found.forUpdate() : found).executeTakeFirst()) === undefined) return false
      // The row first: if it is referenced after all, this fails before any bytes are lost.
      await transaction.deleteFrom('blobs').where('hash', '=', hash).execute()
      await this.#contents.delete(hash)
      return true
    })
  }

  #unnamed(db: Db) {
    return db
      .selectFrom('blobs')
      .select('hash')
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('indexBlobs').select('part').whereRef('indexBlobs.hash', '=', 'blobs.hash'))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(selectFrom('repositoryPacks').select('version').whereRef('repositoryPacks.hash', '=', 'blobs.hash')),
        ),
      )
  }

  async #takeTurn(): Promise<void> {
    if (this.#puts < putsAtOnceMax) this.#puts += 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #endTurn(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#puts -= 1
    else next()
  }
}

async function hashFile(file: string, signal: AbortSignal): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(file), digest, { signal })
  return digest.digest('hex')
}

async function* reportEach(
  chunks: AsyncIterable<Uint8Array>,
  note: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    note(chunk)
    yield chunk
  }
}
