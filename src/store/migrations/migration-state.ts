import { PostgresAdapter, sql } from 'kysely'
import { listMigrations, migrationTable } from './create-tables.ts'
import type { Db } from '../schema.ts'

/** Which migrations a database has run. */
export interface MigrationState {
  /** Names, in order. */
  executed: readonly string[]
  pending: readonly string[]
  /** Unknown to this version: a newer one ran them. */
  unknown: readonly string[]
}

/** @param executed As recorded in the database. */
export function compareMigrations(executed: readonly string[]): MigrationState {
  const known = listMigrations()
  return {
    executed,
    pending: known.filter((name) => !executed.includes(name)),
    unknown: executed.filter((name) => !known.includes(name)),
  }
}

/** @throws {Error} with a message for people, when another version created the database and this one cannot read it. */
export function assertKnownMigrations({ executed, unknown }: MigrationState): void {
  if (unknown.length === 0) return
  if (executed[0] !== listMigrations()[0]) {
    throw new Error(
      'The database was created by an older, unreleased version of Docent, whose tables this version cannot read, so nothing was changed. Start with a new data folder (DOCENT_DATA) or an empty database (DATABASE_URL), or use that version.',
    )
  }
  throw new Error(
    `The database was created by a newer version of Docent, which has run ${unknown.join(', ')}. Use that version, or restore an older backup.`,
  )
}

/** Names of the executed migrations, in order; empty for an empty database. */
export async function readMigrations(db: Db): Promise<string[]> {
  if (!(await hasTable(db, migrationTable))) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(migrationTable)} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

export async function hasTable(db: Db, name: string): Promise<boolean> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const { rows } = await (
    isPostgres
      ? sql`select 1 where to_regclass(${name}) is not null`
      : sql`select 1 from sqlite_schema where name = ${name}`
  ).execute(db)
  return rows.length > 0
}
