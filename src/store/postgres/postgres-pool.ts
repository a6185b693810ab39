import { type PostgresPool, type PostgresPoolClient, type PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { AppError } from '../../contract/app-error.ts'
import { DatabaseUnavailableError, readDatabaseFault } from '../database-error.ts'
import { ServerWatch } from '../server-watch.ts'
import type { PoolLoad } from '../store.ts'

/** Most seconds that a statement may run; the server ends it then. */
const statementMsMax = 30_000

/** A server that does not even refuse by then is gone, as after a cable was pulled. */
const replyMsMax = statementMsMax + 5_000

const connectMsMax = 5_000

/** What a pool needs to tell of a connection that was lost while nobody used it. */
export type ConnectionLost = (error: Error) => void

export interface PostgresPoolOptions {
  databaseUrl: string
  connectionsMax: number
  /** Whether commits wait for the disk. */
  isDurable: boolean
  onConnectionLost: ConnectionLost
  /** Of the server, shared by all of its pools; without one the pool has its own. */
  watch?: ServerWatch
}

/**
 * A pool whose failures are told apart: what the server says about a statement is thrown as it is, a server that
 * cannot be reached becomes `database_unavailable`, so that it is answered as such and not as a bug.
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
    onConnect: (client) => (options.isDurable ? undefined : relaxCommits(client)),
  })
  // Without a listener, a server that restarts would end the process.
  pool.on('error', options.onConnectionLost)
  const load = () => ({
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  })
  return { connect: () => connect(pool, watch), end: () => pool.end(), load }
}

async function relaxCommits(client: pg.ClientBase): Promise<void> {
  await client.query('set synchronous_commit = off')
}

/** A sign of life takes no longer on any server that is of use. */
const probeMsMax = 2_000

/** Watches whether a server answers, by connecting anew: a connection that is there may be the one that is stuck. */
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
    // Whoever refuses lives: what is refused tells its own reason.
    if (!(error instanceof pg.DatabaseError)) throw error
  } finally {
    // Not waited for, because a stuck server takes no leave.
    client.end().catch(() => undefined)
  }
}

async function connect(pool: pg.Pool, watch: ServerWatch): Promise<PostgresPoolClient> {
  for (;;) {
    const client = await takeClient(pool, watch)
    const { connection, losses } = wrapClient(client, watch)
    if (losses === watch.losses) return connection
    // It was there when the server was lost, so that it may be dead without a sign.
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
  /** How often the server had been lost when the client connected. */
  losses: number
}

const wrapped = new WeakMap<pg.PoolClient, WrappedClient>()

/** PostgreSQL refuses text with a zero character, whoever wrote it; the mark in its place keeps such a text unlike any other. */
function markZeros(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
}

/** One wrapper per client, because the query layer recognises a connection by it. */
function wrapClient(client: pg.PoolClient, watch: ServerWatch): WrappedClient {
  const known = wrapped.get(client)
  if (known !== undefined) return known
  let isBroken = false
  // While a client is in use, the pool does not listen to it.
  client.on('error', () => {
    isBroken = true
  })
  const query = async <Row>(sql: string, parameters: readonly unknown[]) => {
    try {
      // The pool's result has the fields that the query layer names.
      return (await watch.run(() =>
        client.query(sql, parameters.map(markZeros)),
      )) as unknown as PostgresQueryResult<Row>
    } catch (error) {
      const failure = readFailure(error)
      if (failure === null) throw error
      // A server that has become a read-only standby is left as well: the next connection finds the primary.
      isBroken = true
      throw failure
    }
  }
  // The query layer's second form of `query` is for cursors, which the store does not use.
  const connection = { query, release: () => client.release(isBroken) } as unknown as PostgresPoolClient
  const wrapper = { connection, losses: watch.losses }
  wrapped.set(client, wrapper)
  return wrapper
}

/**
 * What an error says of the server or the way to it; null for an error about a statement. What the server did not say is
 * told by the code of the system or, for want of one, by the driver's words.
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
