import { SettingsError } from '../config/load-settings.ts'
import type { Settings } from '../config/settings.ts'

/** The embedded database belongs to one process. @throws {SettingsError} when it is the one in use. */
export function requireSharedDatabase(settings: Pick<Settings, 'databaseUrl'>, command: string): void {
  if (settings.databaseUrl !== undefined) return
  throw new SettingsError([
    {
      where: 'DATABASE_URL',
      message: `is missing: docent ${command} shares its database with other processes, which takes PostgreSQL. Set it, or run server and worker in one process with docent start`,
    },
  ])
}
