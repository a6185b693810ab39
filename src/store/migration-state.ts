import { listMigrations } from './create-tables.ts'

/** How far a database has come. */
export interface MigrationState {
  /** Names, in their order. */
  executed: readonly string[]
  pending: readonly string[]
  /** Those that this version does not know: a newer one has made them. */
  unknown: readonly string[]
}

/** @param executed As the database records them. */
export function judgeMigrations(executed: readonly string[]): MigrationState {
  const known = listMigrations()
  return {
    executed,
    pending: known.filter((name) => !executed.includes(name)),
    unknown: executed.filter((name) => !known.includes(name)),
  }
}

/** @throws {Error} a sentence, for a database that a newer version has migrated. */
export function assertKnownMigrations({ unknown }: MigrationState): void {
  if (unknown.length === 0) return
  throw new Error(
    `The database was made by a newer version of Docent, which has run ${unknown.join(', ')}. Use that version, or restore an older backup.`,
  )
}
