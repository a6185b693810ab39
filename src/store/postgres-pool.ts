import { type PostgresPool, type PostgresPoolClient, type PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { AppError } from '../contract/app-error.ts'

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
}

/**
 * A pool whose failures are told apart: what the server says about a statement is thrown as it is, a server that
 * cannot be reached becomes `database_unavailable`, so that it is answered as such and not as a bug.
 */
export function createPostgresPool(options: PostgresPoolOptions): PostgresPool {
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
  return { connect: () => connect(pool), end: () => pool.end() }
}

async function relaxCommits(client: pg.ClientBase): Promise<void> {
  await client.query('set synchronous_commit = off')
}

async function connect(pool: pg.Pool): Promise<PostgresPoolClient> {
  let client: pg.PoolClient
  try {
    client = await pool.connect()
  } catch (error) {
    throw unavailable(error)
  }
  return wrapClient(client)
}

const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>()

/** One wrapper per client, because the query layer recognises a connection by it. */
function wrapClient(client: pg.PoolClient): PostgresPoolClient {
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
      return (await client.query(sql, [...parameters])) as unknown as PostgresQueryResult<Row>
    } catch (error) {
      if (!isConnectionFailure(error)) throw error
      isBroken = true
      throw unavailable(error)
    }
  }
  // The query layer's second form of `query` is for cursors, which the store does not use.
  const wrapper = { query, release: () => client.release(isBroken) } as unknown as PostgresPoolClient
  wrapped.set(client, wrapper)
  return wrapper
}

/**
 * Classes of SQLSTATE: 08 connection, 53 resources, 57P0 shutdown. What the server did not say is told by the code of
 * the system or, for want of one, by the driver's words.
 */
function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof pg.DatabaseError) return /^(?:08|53|57P0)/u.test(error.code ?? '')
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return /^E[A-Z]+$/u.test(code) || /connection|timeout|not queryable/iu.test(error.message)
}

function unavailable(cause: unknown): AppError {
  return new AppError('database_unavailable', 'The database cannot be reached right now. Try again in a few seconds.', {
    cause,
  })
}
