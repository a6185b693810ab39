import type { Settings } from '../config/settings.ts'
import { assertKnownMigrations, compareMigrations, type MigrationState } from '../store/migrations/migration-state.ts'
import { openStore } from '../store/open-store.ts'
import { NoInstallationError, openExistingDatabase } from './require-installation.ts'

type DatabaseSettings = Pick<Settings, 'databaseUrl' | 'dataFolder'>

/** The migration state of the configured database. Read-only, and safe beside running processes. */
export async function readMigrationState(settings: DatabaseSettings): Promise<MigrationState> {
  const snapshot = await openExistingDatabase(settings)
  try {
    return compareMigrations(snapshot?.migrations ?? [])
  } finally {
    await snapshot?.close()
  }
}

/**
 * Migrates the configured database, as every start does. In an empty PostgreSQL it creates the tables, so that a
 * deployment can run it as a separate step; the first start is left to the first server.
 *
 * @returns The migrations applied.
 * @throws {NoInstallationError} if there is no embedded database.
 * @throws {FolderInUseError} if a server is running on the embedded database and migrations are pending.
 * @throws {Error} a sentence, if a newer version has migrated the database.
 */
export async function migrateDatabase(settings: DatabaseSettings): Promise<readonly string[]> {
  const snapshot = await openExistingDatabase(settings)
  if (snapshot === null) throw new NoInstallationError(settings)
  await snapshot.close()
  const state = compareMigrations(snapshot.migrations)
  assertKnownMigrations(state)
  if (state.pending.length === 0) return []
  const { databaseUrl, dataFolder } = settings
  const store = await openStore({ databaseUrl, folder: dataFolder })
  await store.close()
  return state.pending
}
