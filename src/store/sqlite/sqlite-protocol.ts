/**
 * The worker's connections. `reader` runs reads outside transactions, so that they see only committed data and never
 * wait.
 */
export type SqliteConnectionName = 'durable' | 'relaxed' | 'reader'

/** Passed to the worker at startup. */
export interface SqliteWorkerData {
  /** Absolute path of an existing folder. */
  folder: string
}

export interface SqliteRequest {
  id: number
  connection: SqliteConnectionName
  sql: string
  parameters: readonly unknown[]
  /**
   * Rejects the statement if the transaction is gone, as after a full disk: alone it would be committed immediately.
   */
  isInTransaction: boolean
}

export interface SqliteRows {
  columns: readonly string[]
  /** One array per row, in column order: cheaper to clone than objects with repeated keys. */
  values: readonly (readonly unknown[])[]
  /** Rows written, for statements that return none. */
  changes: number | bigint
  lastInsertRowid: number | bigint
}

export interface SqliteFailure {
  message: string
  /** SQLite's extended result code, or null if the error is not from SQLite. */
  resultCode: number | null
}

export type SqliteResponse = { id: number; rows: SqliteRows } | { id: number; failure: SqliteFailure }

/** Messages to the worker. `close` is the last one. */
export type SqliteOrder = { type: 'run'; requests: readonly SqliteRequest[] } | { type: 'close' }

/** Messages from the worker. The first is `opened`, `folder-in-use` or `open-failed`. */
export type SqliteReport =
  | { type: 'opened' }
  | { type: 'folder-in-use' }
  | { type: 'open-failed'; failure: SqliteFailure }
  | { type: 'ran'; responses: readonly SqliteResponse[] }
  | { type: 'closed' }
