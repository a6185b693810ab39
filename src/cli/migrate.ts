import { migrateDatabase, readMigrationState } from '../app/migrate-database.ts'
import { readEnvironment } from '../config/read-environment.ts'
import { formatTable, type Output } from './output.ts'

/** `docent migrate`. @throws {Error} a sentence, if a newer version has migrated the database. */
export async function migrate(output: Output): Promise<void> {
  const ran = await migrateDatabase(readEnvironment())
  output.result({ ran }, () =>
    ran.length === 0 ? 'The database is up to date.' : `Migrated the database: ${ran.join(', ')}.`,
  )
}

/** `docent migrate status`: exits with 1 if migrations are pending or unknown, for use in scripts. */
export async function migrationStatus(output: Output): Promise<void> {
  const state = await readMigrationState(readEnvironment())
  const rows = [
    ...state.executed.map((name) => [name, state.unknown.includes(name) ? 'unknown to this version' : 'applied']),
    ...state.pending.map((name) => [name, 'pending']),
  ]
  output.result(state, () => formatTable(['MIGRATION', 'STATE'], rows))
  if (state.pending.length > 0 || state.unknown.length > 0) process.exitCode = 1
}
