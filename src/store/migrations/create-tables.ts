import { sql } from 'kysely'
import { migrationsFor } from './migrations.ts'
import type { Db } from '../schema.ts'
import type { StoreDialect } from '../store.ts'

/** Kysely's own table layout, so that its migrator finds what is recorded here. */
export const migrationTable = 'docent_migrations'
export const migrationLockTable = 'docent_migration_lock'

/** Names of all migrations of this version, in order. */
export function listMigrations(): string[] {
  return Object.keys(migrationsFor('sqlite')).sort()
}

export interface CreateTablesInput {
  dialect: StoreDialect
  /** The last migration to run; later ones can be run afterwards. */
  last: string
  /** Recorded time of the run, UTC milliseconds. */
  now: number
}

/**
 * Creates the tables of an empty database at a given migration, within the caller's transaction. Kysely's migrator
 * cannot do that, because it starts its own transaction.
 */
export async function createTables(db: Db, input: CreateTablesInput): Promise<void> {
  await db.schema
    .createTable(migrationTable)
    .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
    .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable(migrationLockTable)
    .addColumn('id', 'varchar(255)', (column) => column.notNull().primaryKey())
    .addColumn('is_locked', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`insert into ${sql.table(migrationLockTable)} (id, is_locked) values ('migration_lock', 0)`.execute(db)
  await runMigrations(db, { ...input, after: null })
}

/** Runs the migrations after `after` up to `last`, within the caller's transaction. */
export async function runMigrations(
  db: Db,
  { dialect, after, last, now }: CreateTablesInput & { after: string | null },
): Promise<void> {
  const migrations = migrationsFor(dialect)
  for (const name of listMigrations().filter((known) => (after === null || known > after) && known <= last)) {
    await migrations[name]?.up(db)
    const timestamp = new Date(now).toISOString()
    await sql`insert into ${sql.table(migrationTable)} (name, timestamp) values (${name}, ${timestamp})`.execute(db)
  }
}
