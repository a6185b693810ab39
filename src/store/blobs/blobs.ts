import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Kysely, PostgresAdapter } from 'kysely'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../schema.ts'
import type { Store } from '../store.ts'

/** A content and its name. */
export interface Blob {
  /** The SHA-256 of the bytes, 64 hexadecimal digits. */
  hash: string
  /** Bytes. */
  size: number
}

/** What replicas share beside rows: whole files by the hash of what they hold. */
export interface BlobStore {
  /**
   * Stores a file. Durable when this resolves; storing existing content is free.
   *
   * @param options.isRepair Overwrites existing content, which may be damaged.
   */
  put(file: string, signal: AbortSignal, options?: { isRepair: boolean }): Promise<Blob>
  /** The bytes as they come, not yet checked. @throws {BlobMissingError} */
  get(hash: string, signal: AbortSignal): AsyncIterable<Uint8Array>
  has(hash: string): Promise<boolean>
  /**
   * Writes a content into a file, which is there as a whole or not at all, and holds what its hash says.
   *
   * @throws {BlobMissingError}
   * @throws {BlobDamagedError} when what came is something else.
   */
  download(hash: string, file: string, signal: AbortSignal): Promise<void>
  /** Deletes one that nothing names. @returns Whether it was there; one that is named stays. */
  delete(hash: string): Promise<boolean>
  /** Deletes what nothing has named for an hour. @returns How many. */
  removeUnused(): Promise<number>
}

/** Where the bytes lie. Rows about them are kept by the store around it. */
export interface BlobContents {
  /** Takes the place of what is there. @param db The transaction that holds the row of the blob. */
  write(db: Kysely<Database>, blob: Blob & { file: string }, signal: AbortSignal): Promise<void>
  /** @throws {BlobMissingError} */
  read(hash: string, signal: AbortSignal): AsyncIterable<Uint8Array>
  /** Called when the row of the blob is gone. Idempotent. */
  delete(hash: string): Promise<void>
}

/** No such content: it was removed because nothing names it any more, or somebody has deleted it from the bucket. */
export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError'

  constructor(hash: string) {
    super(`The content ${hash} is not there. What named it has been replaced, or it was deleted by somebody else.`)
  }
}

/** Stored content does not match its hash: it was changed behind the service, or its disk failed. */
export class BlobDamagedError extends Error {
  override readonly name = 'BlobDamagedError'

  constructor(hash: string) {
    super(`The content stored for ${hash} does not match its hash. Check the database and the bucket.`)
  }
}

/** What is stored is named within this time, or asked for again: see `removeUnused`. */
const unnamedKeptMs = 60 * 60_000

const removedAtOnceMax = 1_000

/** Each holds a connection to the database: the pool must have others left. */
const putsAtOnceMax = 3

/**
 * Contents in the database or in a bucket, with a row for each in the database.
 *
 * The row is written in the transaction that writes the bytes, and deleted in the one that deletes them, so that of a
 * store and a deletion at the same time one waits for the other.
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
      const chunks = noteEach(this.get(hash, signal), (chunk) => void digest.update(chunk))
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

  /** @returns Whether the content is there. Locks its row in any case, so that nobody deletes it meanwhile. */
  async #touch(transaction: Kysely<Database>, { hash, size }: Blob): Promise<boolean> {
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

  /** A content that was named or stored again since it was looked at stays. */
  #remove(hash: string, touchedBefore: number): Promise<boolean> {
    return this.#store.durable.transaction().execute(async (transaction) => {
      const query = this.#unnamed(transaction).where('hash', '=', hash)
      const found = touchedBefore === Infinity ? query : query.where('touchedAt', '<', touchedBefore)
      const isPostgres = transaction.getExecutor().adapter instanceof PostgresAdapter
      if ((await (isPostgres ? found.forUpdate() : found).executeTakeFirst()) === undefined) return false
      // The row first: where something names it after all, this fails before anything is lost.
      await transaction.deleteFrom('blobs').where('hash', '=', hash).execute()
      await this.#contents.delete(hash)
      return true
    })
  }

  #unnamed(db: Kysely<Database>) {
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

async function* noteEach(
  chunks: AsyncIterable<Uint8Array>,
  note: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    note(chunk)
    yield chunk
  }
}
