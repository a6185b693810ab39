import { AppError } from '../contract/app-error.ts'

/**
 * Failures of a database or its disk. None is caused by a request and all may be temporary, so every caller may retry.
 */
export type DatabaseFault = 'unreachable' | 'busy' | 'full' | 'read-only' | 'failing' | 'damaged' | 'moved'

const sentences: Readonly<Record<DatabaseFault, string>> = {
  unreachable: 'The database cannot be reached right now. Try again in a few seconds.',
  busy: 'The database is busy or locked right now. Try again in a few seconds.',
  full: 'The disk is full, so nothing can be stored right now. Try again once the operator has freed some space.',
  'read-only': 'The database cannot be written to right now. Try again once the operator has made it writable.',
  failing: "The database's disk reports errors. Try again; tell the operator if it persists.",
  damaged: 'The database is damaged. Tell the operator, who must restore a backup.',
  moved:
    'A file of the database was deleted, moved or replaced while it was in use, so nothing can be stored. Tell the operator, who must put it back or restart Docent.',
}

/** Message for people who cannot see the log. */
export function describeDatabaseFault(fault: DatabaseFault): string {
  return sentences[fault]
}

/** Primary result codes of SQLite: the low byte of the extended ones. See https://sqlite.org/rescode.html */
const sqliteFaults: Readonly<Record<number, DatabaseFault>> = {
  5: 'busy', // SQLITE_BUSY
  6: 'busy', // SQLITE_LOCKED
  8: 'read-only', // SQLITE_READONLY
  10: 'failing', // SQLITE_IOERR
  11: 'damaged', // SQLITE_CORRUPT
  13: 'full', // SQLITE_FULL
  14: 'failing', // SQLITE_CANTOPEN
  26: 'damaged', // SQLITE_NOTADB
}

/**
 * SQLITE_READONLY_DBMOVED. SQLite itself reports it only without a write-ahead log; with one, `sqlite-worker.ts` does.
 */
export const movedCode: number = 8 | (4 << 8)

/** Error codes of PostgreSQL and the operating system, most specific first. */
const namedFaults: readonly [pattern: RegExp, fault: DatabaseFault][] = [
  [/^(?:53100|ENOSPC|EDQUOT)$/u, 'full'],
  // Deadlocks, and statements that were cancelled because they took too long or waited too long for a lock.
  [/^(?:40001|40P01|55P03|57014)$/u, 'busy'],
  [/^(?:25006|EROFS)$/u, 'read-only'],
  [/^XX00[12]$/u, 'damaged'],
  [/^(?:58\d{3}|EIO)$/u, 'failing'],
  [/^(?:08\d{3}|25P0[34]|53\d{3}|57P0\d|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/u, 'unreachable'],
]

/**
 * The database or disk fault behind an error; null for statement errors, which are bugs.
 *
 * @param error Anything thrown, by SQLite, PostgreSQL or the operating system.
 */
export function readDatabaseFault(error: unknown): DatabaseFault | null {
  if (!(error instanceof Error)) return null
  if (error instanceof DatabaseUnavailableError) return error.fault
  // Untrusted shape. Node's own SQLite calls the result code `errcode`.
  const {
    resultCode,
    errcode = resultCode,
    code,
  } = error as { resultCode?: unknown; errcode?: unknown; code?: unknown }
  if (errcode === movedCode) return 'moved'
  if (typeof errcode === 'number') return sqliteFaults[errcode & 0xff] ?? null
  if (typeof code !== 'string') return null
  return namedFaults.find(([pattern]) => pattern.test(code))?.[1] ?? null
}

/** Whether writes fail until an operator frees space or makes the database writable; retry only after a while. */
export function isDiskFull(error: unknown): boolean {
  const fault = readDatabaseFault(error)
  return fault === 'full' || fault === 'read-only' || fault === 'moved'
}

/** The database or its disk has failed. Retryable; the cause goes to the log. */
export class DatabaseUnavailableError extends AppError {
  readonly fault: DatabaseFault

  constructor(fault: DatabaseFault, options: { cause?: unknown } = {}) {
    super('database_unavailable', sentences[fault], options)
    this.fault = fault
  }
}

/** The error to rethrow: `DatabaseUnavailableError` for a database fault, anything else unchanged. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const fault = readDatabaseFault(error)
  return fault === null ? error : new DatabaseUnavailableError(fault, { cause: error })
}
