import { type Kysely, sql } from 'kysely'
import { migrationsFor } from './migrations.ts'
import type { Database } from '../schema.ts'
import type { StoreDialect } from '../store.ts'

/** Where migrations are recorded, by the query layer's own layout, which finds what was recorded here. */
export const migrationTable = 'docent_migrations'
export const migrationLockTable = 'docent_migration_lock'

/** The names of all migrations of this version, in their order. */
export function listMigrations(): string[] {
  return Object.keys(migrationsFor('sqlite')).sort()
}

export interface CreateTablesInput {
  dialect: StoreDialect
  /** The last migration that is run; those after it can be run later. */
  last: string
  /** When they are recorded to have run, UTC milliseconds. */
  now: number
}

/**
 * Makes the tables of an empty database as they were after a migration, within the transaction that is handed in: what
 * the query layer's own migrator cannot, which begins one itself.
 */
export async function createTables(db: Kysely<Database>, input: CreateTablesInput): Promise<void> {
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

/** Runs those after one, up to another, within the transaction that is handed in. */
export async function runMigrations(
  db: Kysely<Database>,
  { dialect, after, last, now }: CreateTablesInput & { after: string | null },
): Promise<void> {
  const migrations = migrationsFor(dialect)
  for (const name of listMigrations().filter((known) => (after === null || known > after) && known <= last)) {
    await migrations[name]?.up(db)
    const timestamp = new Date(now).toISOString()
    await sql`insert into ${sql.table(migrationTable)} (name, timestamp) values (${name}, ${timestamp})`.execute(db)
  }
}
