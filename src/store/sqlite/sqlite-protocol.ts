/**
 * The connections of the worker. `reader` runs what is read outside transactions, so that it sees nothing that is not
 * committed and waits for nobody.
 */
export type SqliteConnectionName = 'durable' | 'relaxed' | 'reader'

/** Handed to the worker when it starts. */
export interface SqliteWorkerData {
  /** Absolute path of the folder, which exists. */
  folder: string
}

export interface SqliteRequest {
  id: number
  connection: SqliteConnectionName
  sql: string
  parameters: readonly unknown[]
  /** Refuses the statement when the transaction is gone, as after a full disk: alone it would be committed at once. */
  isInTransaction: boolean
}

export interface SqliteRows {
  columns: readonly string[]
  /** One array per row, in the order of the columns: cheaper to clone than objects that repeat their keys. */
  values: readonly (readonly unknown[])[]
  /** Rows that were written, when the statement returns none. */
  changes: number | bigint
  lastInsertRowid: number | bigint
}

export interface SqliteFailure {
  message: string
  /** SQLite's extended result code, or null when the fault was not SQLite's. */
  resultCode: number | null
}

export type SqliteResponse = { id: number; rows: SqliteRows } | { id: number; failure: SqliteFailure }

/** What the worker hears. A close comes last. */
export type SqliteOrder = { type: 'run'; requests: readonly SqliteRequest[] } | { type: 'close' }

/** What the worker says. The first report is `opened`, `folder-in-use` or `open-failed`. */
export type SqliteReport =
  | { type: 'opened' }
  | { type: 'folder-in-use' }
  | { type: 'open-failed'; failure: SqliteFailure }
  | { type: 'ran'; responses: readonly SqliteResponse[] }
  | { type: 'closed' }
