import { type Kysely, Migrator } from 'kysely'
import { migrationsFor } from './migrations.ts'
import type { Database } from './schema.ts'
import type { StoreDialect } from './store.ts'

/**
 * Brings the tables to the newest form, in one transaction. Safe to run in several processes at once: one migrates,
 * the others wait and find nothing to do.
 *
 * @throws {Error} a sentence, when a migration fails or the database is from a newer version of the program.
 */
export async function migrateToLatest(db: Kysely<Database>, dialect: StoreDialect): Promise<void> {
  const migrations = migrationsFor(dialect)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    migrationTableName: 'docent_migrations',
    migrationLockTableName: 'docent_migration_lock',
    // By code unit, so that the machine's language has no say in the order.
    nameComparator: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const failed = results?.find(({ status }) => status === 'Error')
  if (failed === undefined && isFromNewerVersion(error)) {
    throw new Error(
      'The database was made by a newer version of Docent. Start that version, or restore an older backup.',
      {
        cause: error,
      },
    )
  }
  const where = failed === undefined ? 'The database could not be migrated' : `Migration ${failed.migrationName} failed`
  throw new Error(`${where}, and nothing was changed: ${describe(error)}`, { cause: error })
}

/** The query layer has no error class for it. */
function isFromNewerVersion(error: unknown): boolean {
  return error instanceof Error && error.message.includes('previously executed migration')
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
