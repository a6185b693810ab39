import { Migrator } from 'kysely'
import { migrationLockTable, migrationTable } from './create-tables.ts'
import { assertKnownMigrations, compareMigrations, readMigrations } from './migration-state.ts'
import { migrationsFor } from './migrations.ts'
import type { Db } from '../schema.ts'
import type { StoreDialect } from '../store.ts'

/**
 * Migrates to the latest schema in one transaction. Safe to run in several processes concurrently: one migrates, the
 * others wait and find nothing to do.
 *
 * @throws {Error} with a message for people, when a migration fails or another version created the database.
 */
export async function migrateToLatest(db: Db, dialect: StoreDialect): Promise<void> {
  assertKnownMigrations(compareMigrations(await readMigrations(db)))
  const migrations = migrationsFor(dialect)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    migrationTableName: migrationTable,
    migrationLockTableName: migrationLockTable,
    // By code unit, independent of the machine's locale.
    nameComparator: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const failed = results?.find(({ status }) => status === 'Error')
  const where = failed === undefined ? 'The database could not be migrated' : `Migration ${failed.migrationName} failed`
  throw new Error(`${where}, and nothing was changed: ${describe(error)}`, { cause: error })
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
