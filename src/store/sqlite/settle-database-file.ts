import { DatabaseSync } from 'node:sqlite'

/**
 * Moves what stands in the log of an embedded database into its file, which is whole without the files beside it then.
 * The caller holds the data folder.
 */
export async function settleDatabaseFile(file: string): Promise<void> {
  const database = new DatabaseSync(file, { timeout: 30_000 })
  try {
    database.exec('pragma wal_checkpoint(truncate)')
    // Ends the log for good: a file of the log that stayed would be taken for that of a database which takes its place.
    database.exec('pragma journal_mode = delete')
  } finally {
    database.close()
  }
}
