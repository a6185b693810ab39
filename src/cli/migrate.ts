import { migrateDatabase, readMigrationState } from '../app/migrate-database.ts'
import { readEnvironment } from '../config/read-environment.ts'
import { formatTable, type Output } from './output.ts'

/** `docent migrate`. @throws {Error} a sentence, for a database that a newer version has migrated. */
export async function migrate(output: Output): Promise<void> {
  const ran = await migrateDatabase(readEnvironment())
  output.result({ ran }, () =>
    ran.length === 0 ? 'The database is up to date.' : `The database is up to date now: ${ran.join(', ')}.`,
  )
}

/** `docent migrate status`: exit code 1 where something is to be done, so that scripts can ask. */
export async function migrationStatus(output: Output): Promise<void> {
  const state = await readMigrationState(readEnvironment())
  const rows = [
    ...state.executed.map((name) => [name, state.unknown.includes(name) ? 'unknown to this version' : 'done']),
    ...state.pending.map((name) => [name, 'to be run']),
  ]
  output.result(state, () => formatTable(['MIGRATION', 'STATE'], rows))
  if (state.pending.length > 0 || state.unknown.length > 0) process.exitCode = 1
}
