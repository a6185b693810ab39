import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type KyselyConfig, sql } from 'kysely'
import { type Log, silentLog } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { AppError } from '../contract/app-error.ts'
import { migrateToLatest } from './migrations/migrate.ts'
import { createStatementObserver } from './observe-statements.ts'
import { assertKnownMigrations, compareMigrations } from './migrations/migration-state.ts'
import { refuseEmptiedFolder, refuseEmptiedPostgres } from './installation-state.ts'
import { assertNotHalfRestored } from './restore-mark.ts'
import { createPostgresDatabase } from './row-codec.ts'
import type { Db } from './schema.ts'
import { startSqliteClient } from './sqlite/sqlite-client.ts'
import { createSqliteDatabase } from './sqlite/sqlite-dialect.ts'
import { readSqliteMigrations } from './sqlite/sqlite-snapshot.ts'
import type { Store } from './store.ts'

export interface OpenStoreOptions {
  /** `postgres://…`; if absent, the embedded database in `folder` is used. */
  databaseUrl?: string | undefined
  /** Data folder of the embedded database; created if missing, readable only by its owner. */
  folder: string
  /** Logs lost connections. */
  log?: Log | undefined
  /** Measures and traces statements; if absent, they are not observed. */
  metrics?: Metrics | undefined
}

/** PostgreSQL connections per process. Most statements are short rate-limit updates. */
const durableConnectionsMax = 10
const relaxedConnectionsMax = 5

const postgresVersionMin = 15

/**
 * Opens the database and migrates it to the latest schema.
 *
 * @throws {FolderInUseError} when another process uses the folder.
 * @throws {HalfRestoredError} when a restore into the folder was interrupted.
 * @throws {EmptiedInstallationError} when the folder belonged to an installation whose database is gone.
 * @throws {Error} with a message for people, when the database cannot be opened or migrated.
 */
export function openStore(options: OpenStoreOptions): Promise<Store> {
  const { databaseUrl, metrics } = options
  const observed = metrics === undefined ? {} : { log: createStatementObserver(metrics) }
  return databaseUrl === undefined ? openSqlite(options.folder, observed) : openPostgres(databaseUrl, options, observed)
}

type Observed = Pick<KyselyConfig, 'log'>

async function openSqlite(folder: string, observed: Observed): Promise<Store> {
  const path = resolve(folder)
  await makeFolder(path)
  await assertNotHalfRestored(path)
  await refuseEmptiedFolder(path)
  await assertReadable(path)
  const client = await startSqliteClient(path)
  const store: Store = {
    dialect: 'sqlite',
    durable: createSqliteDatabase(client, 'durable', observed),
    relaxed: createSqliteDatabase(client, 'relaxed', observed),
    close: () => client.close(),
    ping: () => selectOne(store),
  }
  return migrated(store)
}

async function openPostgres(
  databaseUrl: string,
  { folder, log = silentLog }: OpenStoreOptions,
  observed: Observed,
): Promise<Store> {
  const { createPostgresPool, watchPostgres } = await import('./postgres/postgres-pool.ts')
  const onConnectionLost = (error: Error) => log.warn({ error }, 'database-connection-lost')
  const watch = watchPostgres(databaseUrl, (isLost) => log.warn({}, isLost ? 'database-lost' : 'database-back'))
  const connect = (connectionsMax: number, isDurable: boolean) =>
    createPostgresPool({ databaseUrl, connectionsMax, isDurable, onConnectionLost, watch })
  const pools = { durable: connect(durableConnectionsMax, true), relaxed: connect(relaxedConnectionsMax, false) }
  const durable = createPostgresDatabase(pools.durable, observed)
  const relaxed = createPostgresDatabase(pools.relaxed, observed)
  let closed: Promise<void> | null = null
  const store: Store = {
    dialect: 'postgres',
    durable,
    relaxed,
    close: () => (closed ??= Promise.all([durable.destroy(), relaxed.destroy()]).then(() => undefined)),
    ping: () => selectOne(store),
    readPools: () => Object.entries(pools).map(([pool, { load }]) => ({ pool, ...load() })),
  }
  const check = async (db: Db) => {
    await assertPostgresVersion(db)
    await refuseEmptiedPostgres(db, resolve(folder))
  }
  return migrated(store, check).catch(explainUnusable)
}

/** Runs before anything writes to the file, so that a database of another version stays untouched. */
async function assertReadable(folder: string): Promise<void> {
  const migrations = await readSqliteMigrations(join(folder, 'docent.db'))
  assertKnownMigrations(compareMigrations(migrations))
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `The data folder cannot be created: ${reason}. Set DOCENT_DATA to a folder that this user can write to.`,
      {
        cause,
      },
    )
  }
}

/**
 * Includes the reason in the message, because at startup an operator is there to fix the address; later it goes to the log
 * only.
 */
export function explainUnusable(error: unknown): never {
  if (!(error instanceof AppError && error.code === 'database_unavailable')) throw error
  const { cause } = error
  // A host with several addresses fails with one error per address.
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause
  const reason = first instanceof Error ? first.message : String(first)
  throw new AppError(
    'database_unavailable',
    `The server at DATABASE_URL cannot be used: ${reason}. Check the address, the user and the password.`,
    { cause },
  )
}

/** Closes an unusable store before rethrowing, so that nothing keeps the process alive or the folder locked. */
async function migrated(store: Store, check?: (db: Db) => Promise<void>): Promise<Store> {
  try {
    await check?.(store.durable)
    await migrateToLatest(store.durable, store.dialect)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

async function selectOne(store: Store): Promise<void> {
  await sql`select 1`.execute(store.durable)
}

async function assertPostgresVersion(db: Db): Promise<void> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(db)
  const major = Math.floor(Number(rows[0]?.version) / 10_000)
  if (major >= postgresVersionMin) return
  throw new Error(
    `The server at DATABASE_URL is PostgreSQL ${major} but Docent needs ${postgresVersionMin} or newer. Upgrade it or use another server.`,
  )
}
