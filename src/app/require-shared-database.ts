import { SettingsError } from '../config/load-settings.ts'
import type { Settings } from '../config/settings.ts'

/** The embedded database supports one process only. @throws {SettingsError} if it is in use. */
export function requireSharedDatabase(settings: Pick<Settings, 'databaseUrl'>, command: string): void {
  if (settings.databaseUrl !== undefined) return
  throw new SettingsError([
    {
      where: 'DATABASE_URL',
      message: `is missing: docent ${command} shares its database with other processes, which requires PostgreSQL. Set it, or run server and worker in one process with docent start`,
    },
  ])
}
