import { rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type QuantizedVector, quantizeVector } from './quantize-vector.ts'

const cacheApplicationId = 0x64766563
const cacheFormat = 1

/**
 * The vectors of a site's passages between generations, by model and by hash of the passage: what was paid for once is
 * kept at once, so that a killed run goes on where it was, and unchanged passages are never asked for again.
 *
 * One process has it open at a time.
 */
export class VectorCache {
  readonly #database: DatabaseSync
  readonly #model: string
  readonly #select: StatementSync
  readonly #insert: StatementSync

  /**
   * @param file Made when missing, and made anew when it cannot be read: it can be filled again.
   * @throws {VectorCacheInUseError} when another process has it open.
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

  /** Kept when this returns, whatever happens to the process then. */
  put(vectors: readonly { hash: Uint8Array; vector: ArrayLike<number> }[]): void {
    this.#database.exec('BEGIN')
    for (const { hash, vector } of vectors) {
      const { bytes, scale } = quantizeVector(vector)
      this.#insert.run(this.#model, hash, scale, new Uint8Array(bytes.buffer))
    }
    this.#database.exec('COMMIT')
  }

  /** The dimensions of the vectors of the model; null while there are none. */
  get dimensions(): number | null {
    const row = this.#database.prepare('SELECT length(bytes) AS length FROM vector WHERE model = ? LIMIT 1')
    return (row.get(this.#model)?.['length'] as number | undefined) ?? null
  }

  /** Another model stands behind the name now: nothing of the old one compares. */
  forgetModel(): void {
    this.#database.prepare('DELETE FROM vector WHERE model = ?').run(this.#model)
  }

  /** Forgets other models, and what is not used once that is more than what is: changes are often taken back. */
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

/** The files of a cache: itself, and what a killed process leaves for the next one to roll back. */
export const listVectorCacheFiles = (name: string): string[] => [name, `${name}-journal`]

/** Another process makes the vectors of the site now. */
export class VectorCacheInUseError extends Error {
  override readonly name = 'VectorCacheInUseError'

  constructor() {
    super('Another process makes the vectors of this site. It goes on there.')
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

/** Not told by a class of errors: the driver puts SQLite's own number on them. */
const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  try {
    // The lock is held until the end, so that no two processes pay for the same vectors. The kernel frees it.
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
