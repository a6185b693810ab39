import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { createTables, migrationLockTable, migrationTable, runMigrations } from '../migrations/create-tables.ts'
import type { FilledDatabase, FillInput } from '../migrations/fill-database.ts'
import { compareRows, RowLoader } from '../migrations/load-rows.ts'
import { assertKnownMigrations, compareMigrations, readMigrations } from '../migrations/migration-state.ts'
import { createPostgresPool } from './postgres-pool.ts'
import { createPostgresReader } from './postgres-snapshot.ts'
import { quoteName } from '../migrations/row-reader.ts'
import { createPostgresDatabase } from '../row-codec.ts'
import type { Db } from '../schema.ts'
import { listTableNames } from '../migrations/table-shapes.ts'

/** The database contains rows that must not be dropped without permission. */
export class DatabaseNotEmptyError extends Error {
  override readonly name = 'DatabaseNotEmptyError'
}

export interface FillPostgresInput extends FillInput {
  databaseUrl: string
  /** Whether existing tables may be dropped. */
  replaces: boolean
}

/**
 * Fills a PostgreSQL database in one transaction: other readers see the old contents until the new ones are complete,
 * verified row by row and migrated. A failure changes nothing.
 *
 * @throws {DatabaseNotEmptyError} when there are rows that may not be replaced.
 * @throws {Error} with a message for people, when other processes use the database.
 */
export async function fillPostgres(input: FillPostgresInput): Promise<FilledDatabase> {
  const { databaseUrl, migration, newest, shapes, now, load } = input
  const db = createPostgresDatabase(
    createPostgresPool({ databaseUrl, connectionsMax: 1, isDurable: true, onConnectionLost: () => {} }),
  )
  try {
    return await db.transaction().execute(async (transaction) => {
      // Processes that start now wait until the end, as they do while another one migrates.
      const lock = { lockTable: migrationLockTable, lockRowId: 'migration_lock' }
      await db.getExecutor().adapter.acquireMigrationLock(transaction, lock)
      await clear(transaction, input)
      await createTables(transaction, { dialect: 'postgres', last: migration, now })
      const loader = new RowLoader(transaction, 'postgres')
      await load(loader, transaction)
      const sums = await compareRows(createPostgresReader(transaction), shapes, loader.end())
      await runMigrations(transaction, { dialect: 'postgres', after: migration, last: newest, now })
      return { sums }
    })
  } finally {
    await db.destroy()
  }
}

/** Drops Docent's tables and functions, and nothing else in the database. */
async function clear(transaction: Db, { newest, replaces }: FillPostgresInput): Promise<void> {
  assertKnownMigrations(compareMigrations(await readMigrations(transaction)))
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = current_schema()`.execute(transaction)
  const present = new Set(rows.map(({ name }) => name))
  const own = (await listTableNames(newest)).filter((name) => present.has(name))
  if (!replaces) await assertEmpty(transaction, own)
  await assertUnused(transaction)
  for (const name of [...own, migrationTable, migrationLockTable]) {
    await sql.raw(`drop table if exists ${quoteName(name)} cascade`).execute(transaction)
  }
  const functions = await sql<{ signature: string }>`select oid::regprocedure::text as signature from pg_proc
    where pronamespace = current_schema()::regnamespace and proname like 'docent\\_%'`.execute(transaction)
  for (const { signature } of functions.rows) await sql.raw(`drop function ${signature}`).execute(transaction)
}

async function assertEmpty(transaction: Db, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { rows } = await sql.raw(`select 1 from ${quoteName(name)} limit 1`).execute(transaction)
    if (rows.length === 0) continue
    throw new DatabaseNotEmptyError(
      `The database at DATABASE_URL is not empty: there are rows in ${name}. Use an empty database, or add --replace to drop its tables.`,
    )
  }
}

/** The server takes a moment to notice that a process was killed. */
const takingLeaveMsMax = 3_000
const pollMs = 100

/** Connected processes would lose their tables while running. */
async function assertUnused(transaction: Db): Promise<void> {
  const deadline = performance.now() + takingLeaveMsMax
  for (;;) {
    // Otherwise the server keeps returning the first result within a transaction.
    await sql`select pg_stat_clear_snapshot()`.execute(transaction)
    const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
      where datname = current_database() and application_name = 'docent' and pid <> pg_backend_pid()`.execute(
      transaction,
    )
    if ((rows[0]?.count ?? 0) === 0) return
    if (performance.now() >= deadline) break
    await wait(pollMs)
  }
  throw new Error(
    'Other Docent processes are using the database at DATABASE_URL. Stop every docent start, serve and work process and run the command again.',
  )
}
