import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Settings } from '../config/settings.ts'
import { assertKnownMigrations, judgeMigrations, type MigrationState } from '../store/migration-state.ts'
import { openStore } from '../store/open-store.ts'
import { openPostgresSnapshot } from '../store/postgres-snapshot.ts'
import { openSqliteSnapshot } from '../store/sqlite-snapshot.ts'

type DatabaseSettings = Pick<Settings, 'databaseUrl' | 'dataFolder'>

/** How far the database of the settings has come. Changes nothing, and may be asked beside running processes. */
export async function readMigrationState(settings: DatabaseSettings): Promise<MigrationState> {
  const folder = resolve(settings.dataFolder)
  const { databaseUrl } = settings
  if (databaseUrl === undefined && (await stat(join(folder, 'docent.db')).catch(() => null)) === null) {
    return judgeMigrations([])
  }
  const snapshot = await (databaseUrl === undefined ? openSqliteSnapshot(folder) : openPostgresSnapshot(databaseUrl))
  try {
    return judgeMigrations(snapshot.migrations)
  } finally {
    await snapshot.close()
  }
}

/**
 * Brings the database of the settings to the newest form, as every start does by itself.
 *
 * @returns The migrations that were run.
 * @throws {FolderInUseError} when a server runs on the embedded database and something is to be done.
 * @throws {Error} a sentence, for a database that a newer version has migrated.
 */
export async function migrateDatabase(settings: DatabaseSettings): Promise<readonly string[]> {
  const state = await readMigrationState(settings)
  assertKnownMigrations(state)
  if (state.pending.length === 0) return []
  const { databaseUrl, dataFolder } = settings
  const store = await openStore({ databaseUrl, folder: dataFolder })
  await store.close()
  return state.pending
}
