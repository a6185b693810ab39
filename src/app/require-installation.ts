import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { nameCommand } from '../config/name-command.ts'
import type { Settings } from '../config/settings.ts'
import { firstStartName } from '../store/installation.ts'
import type { DatabaseSnapshot } from '../store/migrations/row-reader.ts'
import { explainUnusable } from '../store/open-store.ts'
import { openSqliteSnapshot } from '../store/sqlite/sqlite-snapshot.ts'
import { locateDataFolder } from './data-folder.ts'

type InstallationSettings = Pick<Settings, 'dataFolder' | 'databaseUrl'>

/** No installation exists at the configured location. */
export class NoInstallationError extends Error {
  override readonly name = 'NoInstallationError'

  constructor(settings: InstallationSettings) {
    const start = `Start Docent first: ${nameCommand('start')}`
    super(
      settings.databaseUrl === undefined
        ? `There is no Docent installation in ${locateDataFolder(settings).path}. ${start}. If you have started it elsewhere, set DOCENT_DATA to its data folder.`
        : `There is no Docent installation in the database that DATABASE_URL names. ${start}. If you have started it on another database, set DATABASE_URL to that one.`,
    )
  }
}

/**
 * Whether the first start has been performed. Read-only: creates no folder or table, and is safe beside running
 * processes.
 */
async function hasInstallation(settings: InstallationSettings): Promise<boolean> {
  const snapshot = await openExistingDatabase(settings)
  if (snapshot === null) return false
  try {
    if (snapshot.migrations.length === 0) return false
    const names = snapshot.read({ name: 'installation', columns: ['name'], key: ['name'] })
    for await (const rows of names) if (rows.some(([name]) => name === firstStartName)) return true
    return false
  } finally {
    await snapshot.close()
  }
}

/** @throws {NoInstallationError} */
export async function requireInstallation(settings: InstallationSettings): Promise<void> {
  if (!(await hasInstallation(settings))) throw new NoInstallationError(settings)
}

/** @throws {NoInstallationError} if there is no database, or it has no tables. */
export async function openDatabaseSnapshot(settings: InstallationSettings): Promise<DatabaseSnapshot> {
  const snapshot = await openExistingDatabase(settings)
  if (snapshot !== null && snapshot.migrations.length > 0) return snapshot
  await snapshot?.close()
  throw new NoInstallationError(settings)
}

/** Opens the database for reading. @returns Null if there is no embedded one; none is created. */
export async function openExistingDatabase({
  dataFolder,
  databaseUrl,
}: InstallationSettings): Promise<DatabaseSnapshot | null> {
  if (databaseUrl !== undefined) {
    const { openPostgresSnapshot } = await import('../store/postgres/postgres-snapshot.ts')
    return openPostgresSnapshot(databaseUrl).catch(explainUnusable)
  }
  const { path } = locateDataFolder({ dataFolder })
  const file = await stat(join(path, 'docent.db')).catch(() => null)
  return file === null ? null : openSqliteSnapshot(path)
}
