import { type PostgresPool, type PostgresPoolClient, type PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { AppError } from '../../contract/app-error.ts'
import { DatabaseUnavailableError, readDatabaseFault } from '../database-error.ts'
import { ServerWatch } from '../server-watch.ts'
import type { PoolLoad } from '../store.ts'

/** Longest run time of a statement; the server cancels it then. */
const statementMsMax = 30_000

/**
 * Longest that a statement of a relaxed connection waits for a lock: searches are counted there, and go on without the
 * count while the table is locked.
 */
const lockMsMax = 5_000

/** Past this, the server itself must be unreachable, for example because a cable was pulled. */
const replyMsMax = statementMsMax + 5_000

const connectMsMax = 5_000

/** Called when an idle connection is lost. */
export type ConnectionLost = (error: Error) => void

export interface PostgresPoolOptions {
  databaseUrl: string
  connectionsMax: number
  /** Whether commits wait for the disk. */
  isDurable: boolean
  onConnectionLost: ConnectionLost
  /** Shared by all pools of a server; if absent, the pool creates its own. */
  watch?: ServerWatch
}

/**
 * Creates a pool that distinguishes failures: statement errors are thrown unchanged, while an unreachable server
 * becomes `database_unavailable`, so that it is not reported as a bug.
 */
export function createPostgresPool(options: PostgresPoolOptions): PostgresPool & { load(): PoolLoad } {
  const watch = options.watch ?? watchPostgres(options.databaseUrl, () => {})
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: options.connectionsMax,
    application_name: 'docent',
    connectionTimeoutMillis: connectMsMax,
    statement_timeout: statementMsMax,
    query_timeout: replyMsMax,
    keepAlive: true,
    // Times and counts stay far below 2^53; as text they would compare wrongly.
    types: {
      getTypeParser: (id, format) => (id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format)),
    },
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, which its types do not say
    onConnect: (client) => (options.isDurable ? undefined : relax(client)),
  })
  // Without a listener, a server restart would crash the process.
  pool.on('error', options.onConnectionLost)
  const load = () => ({
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  })
  return { connect: () => connect(pool, watch), end: () => pool.end(), load }
}

async function relax(client: pg.ClientBase): Promise<void> {
  await client.query(`set synchronous_commit = off; set lock_timeout = ${lockMsMax}`)
}

/** A usable server answers a probe within this time. */
const probeMsMax = 2_000

/** Probes the server over a new connection, because an existing one may itself be stuck. */
export function watchPostgres(databaseUrl: string, onChange: (isLost: boolean) => void): ServerWatch {
  return new ServerWatch({ onChange, probe: () => probeServer(databaseUrl) })
}

async function probeServer(connectionString: string): Promise<void> {
  const limits = { connectionTimeoutMillis: probeMsMax, query_timeout: probeMsMax }
  const client = new pg.Client({ connectionString, application_name: 'docent', ...limits })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
  } catch (error) {
    // A server that answers with an error is alive; statements report the error themselves.
    if (!(error instanceof pg.DatabaseError)) throw error
  } finally {
    // Not awaited, because a stuck server does not close the connection.
    client.end().catch(() => undefined)
  }
}

async function connect(pool: pg.Pool, watch: ServerWatch): Promise<PostgresPoolClient> {
  for (;;) {
    const client = await takeClient(pool, watch)
    const { connection, losses } = wrapClient(client, watch)
    if (losses === watch.losses) return connection
    // Opened before the server was lost, so it may be silently dead.
    client.release(true)
  }
}

async function takeClient(pool: pg.Pool, watch: ServerWatch): Promise<pg.PoolClient> {
  let isWaitedFor = true
  try {
    return await watch.run(async () => {
      const client = await pool.connect()
      if (!isWaitedFor) client.release()
      return client
    })
  } catch (error) {
    isWaitedFor = false
    throw readFailure(error) ?? new DatabaseUnavailableError('unreachable', { cause: error })
  }
}

interface WrappedClient {
  connection: PostgresPoolClient
  /** Losses of the server at the time the client connected. */
  losses: number
}

const wrapped = new WeakMap<pg.PoolClient, WrappedClient>()

/** PostgreSQL rejects NUL characters in text; U+FFFD in their place keeps the text distinct from any other. */
function markZeros(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
}

/** One wrapper per client, because Kysely identifies connections by object. */
function wrapClient(client: pg.PoolClient, watch: ServerWatch): WrappedClient {
  const known = wrapped.get(client)
  if (known !== undefined) return known
  let isBroken = false
  // The pool does not listen to clients in use.
  client.on('error', () => {
    isBroken = true
  })
  const query = async <Row>(sql: string, parameters: readonly unknown[]) => {
    try {
      // The pool's result has the fields that Kysely expects.
      return (await watch.run(() =>
        client.query(sql, parameters.map(markZeros)),
      )) as unknown as PostgresQueryResult<Row>
    } catch (error) {
      const failure = readFailure(error)
      if (failure === null) throw error
      // Also drops connections to a server that has become a read-only standby: the next one finds the primary.
      if (readDatabaseFault(failure) !== 'busy') isBroken = true
      throw failure
    }
  }
  // Kysely's second overload of `query` is for cursors, which the store does not use.
  const connection = { query, release: () => client.release(isBroken) } as unknown as PostgresPoolClient
  const wrapper = { connection, losses: watch.losses }
  wrapped.set(client, wrapper)
  return wrapper
}

/**
 * Converts errors of the server or the network; null for statement errors. Errors that do not come from the server are
 * recognized by their system code or, failing that, by the driver's message.
 */
function readFailure(cause: unknown): AppError | null {
  if (!(cause instanceof Error)) return null
  if (cause instanceof AppError) return cause.code === 'database_unavailable' ? cause : null
  const fault = readDatabaseFault(cause) ?? (isDriverFailure(cause) ? 'unreachable' : null)
  return fault === null ? null : new DatabaseUnavailableError(fault, { cause })
}

function isDriverFailure(error: Error): boolean {
  if (error instanceof pg.DatabaseError) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return /^E[A-Z]+$/u.test(code) || /connection|timeout|not queryable/iu.test(error.message)
}
