import { DatabaseSync } from 'node:sqlite'

/**
 * Moves the contents of an embedded database's log into its file, so that the file is complete by itself. The caller
 * must hold the lock of the data folder.
 */
export async function checkpointDatabaseFile(file: string): Promise<void> {
  const database = new DatabaseSync(file, { timeout: 30_000 })
  try {
    database.exec('pragma wal_checkpoint(truncate)')
    // Removes the log for good: a leftover log file would be applied to a database that replaces this one.
    database.exec('pragma journal_mode = delete')
  } finally {
    database.close()
  }
}
