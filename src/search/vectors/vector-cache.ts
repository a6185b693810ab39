import { rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type QuantizedVector, quantizeVector } from './quantize-vector.ts'

const cacheApplicationId = 0x64766563
const cacheFormat = 1

/**
 * The vectors of a site's passages between generations, by model and by hash of the passage. Vectors are stored as soon
 * as they are paid for, so that a killed run resumes where it stopped, and unchanged passages are never embedded again.
 *
 * Only one process can open it at a time.
 */
export class VectorCache {
  readonly #database: DatabaseSync
  readonly #model: string
  readonly #select: StatementSync
  readonly #insert: StatementSync

  /**
   * @param file Created if missing, and recreated if unreadable: it can be filled again.
   * @throws {VectorCacheInUseError} if another process has it open.
   */
  constructor(file: string, model: string) {
    this.#database = openCache(file)
    this.#model = model
    this.#select = this.#database.prepare('SELECT scale, bytes FROM vector WHERE model = ? AND hash = ?')
    this.#insert = this.#database.prepare('INSERT OR REPLACE INTO vector VALUES (?, ?, ?, ?)')
  }

  get(hash: Uint8Array): QuantizedVector | null {
    const row = this.#select.get(this.#model, hash)
    if (row === undefined) return null
    const bytes = row['bytes'] as Uint8Array // Written by `put`.
    return { bytes: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), scale: row['scale'] as number }
  }

  /** Durable on return, even if the process is killed then. */
  put(vectors: readonly { hash: Uint8Array; vector: ArrayLike<number> }[]): void {
    this.#database.exec('BEGIN')
    for (const { hash, vector } of vectors) {
      const { bytes, scale } = quantizeVector(vector)
      this.#insert.run(this.#model, hash, scale, new Uint8Array(bytes.buffer))
    }
    this.#database.exec('COMMIT')
  }

  /** The dimensions of the model's vectors; null while there are none. */
  get dimensions(): number | null {
    const row = this.#database.prepare('SELECT length(bytes) AS length FROM vector WHERE model = ? LIMIT 1')
    return (row.get(this.#model)?.['length'] as number | undefined) ?? null
  }

  /** Another model is behind the name now; the old vectors are not comparable. */
  forgetModel(): void {
    this.#database.prepare('DELETE FROM vector WHERE model = ?').run(this.#model)
  }

  /** Drops other models, and unused vectors once they outnumber the used ones: changes are often reverted. */
  prune(used: readonly Uint8Array[]): void {
    this.#database.prepare('DELETE FROM vector WHERE model <> ?').run(this.#model)
    const kept = Number(this.#database.prepare('SELECT count(*) AS count FROM vector').get()?.['count'])
    if (kept <= used.length * 2) return
    this.#database.exec('CREATE TEMP TABLE used (hash BLOB PRIMARY KEY) WITHOUT ROWID; BEGIN')
    const insert = this.#database.prepare('INSERT OR IGNORE INTO used VALUES (?)')
    for (const hash of used) insert.run(hash)
    this.#database.exec('DELETE FROM vector WHERE hash NOT IN (SELECT hash FROM used); COMMIT; DROP TABLE used; VACUUM')
  }

  close(): void {
    this.#database.close()
  }
}

/** The files of a cache: the database, and the journal that a killed process leaves to be rolled back. */
export const listVectorCacheFiles = (name: string): string[] => [name, `${name}-journal`]

/** Another process is embedding the site. */
export class VectorCacheInUseError extends Error {
  override readonly name = 'VectorCacheInUseError'

  constructor() {
    super('Another process is already creating the vectors of this site.')
  }
}

function openCache(file: string): DatabaseSync {
  try {
    return openDatabase(file)
  } catch (error) {
    if (isBusy(error)) throw new VectorCacheInUseError()
    rmSync(file, { force: true })
    return openDatabase(file)
  }
}

/** The driver has no error class for this; it sets SQLite's error number. */
const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  try {
    // The lock is held until close, so that no two processes pay for the same vectors. The kernel releases it on exit.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; PRAGMA synchronous = NORMAL')
    database.exec('BEGIN EXCLUSIVE')
    const application = database.prepare('PRAGMA application_id').get()?.['application_id']
    const version = database.prepare('PRAGMA user_version').get()?.['user_version']
    if (application === 0) createTables(database)
    else if (application !== cacheApplicationId || version !== cacheFormat) throw new Error('It is of another version.')
    database.exec('COMMIT')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function createTables(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE vector (
      model TEXT NOT NULL, hash BLOB NOT NULL, scale REAL NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (model, hash)
    ) STRICT;
    PRAGMA application_id = ${cacheApplicationId};
    PRAGMA user_version = ${cacheFormat};
  `)
}
