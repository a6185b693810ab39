import type { SqliteConnection } from './sqlite-connection.ts'
import type { SqliteConnectionName, SqliteFailure, SqliteRequest, SqliteResponse } from './sqlite-protocol.ts'

export type SqliteConnections = Record<SqliteConnectionName, SqliteConnection>

/** Bounds how long the first statement of a group waits for the last. */
const groupMax = 500

/**
 * Runs statements in order and answers each.
 *
 * Consecutive writes outside transactions share one commit: its disk wait and log pages cost the same for one as for
 * hundreds. Each still succeeds or fails alone. Reads see what was committed before the group, as if they had arrived a
 * moment earlier.
 */
export function runBatch(connections: SqliteConnections, requests: readonly SqliteRequest[]): SqliteResponse[] {
  const responses: SqliteResponse[] = []
  let group: SqliteRequest[] = []
  const endGroup = () => {
    const [first] = group
    if (first !== undefined) responses.push(...runGroup(connections[first.connection], group))
    group = []
  }
  for (const request of requests) {
    if (request.connection === 'reader') {
      responses.push(connections.reader.answer(request))
      continue
    }
    const isJoining = canShareCommit(request)
    if (!isJoining || group[0]?.connection !== request.connection || group.length >= groupMax) endGroup()
    if (isJoining) group.push(request)
    else responses.push(runAlone(connections, request))
  }
  endGroup()
  return responses
}

/** Refuses all writes and rolls back open transactions; reads go on. */
export function refuseWrites(
  connections: SqliteConnections,
  requests: readonly SqliteRequest[],
  failure: SqliteFailure,
): SqliteResponse[] {
  return requests.map((request) => {
    const connection = connections[request.connection]
    if (request.connection === 'reader' || request.sql === 'rollback') return connection.answer(request)
    connection.endTransaction()
    return { id: request.id, failure }
  })
}

function canShareCommit({ sql, isInTransaction }: SqliteRequest): boolean {
  return !isInTransaction && /^\s*(?:insert|update|delete|with)\b/iu.test(sql)
}

function runAlone(connections: SqliteConnections, request: SqliteRequest): SqliteResponse {
  const response = connections[request.connection].answer(request)
  if (/^\s*(?:create|alter|drop)\b/iu.test(request.sql)) {
    for (const connection of Object.values(connections)) connection.forgetPrepared()
  }
  return response
}

function runGroup(connection: SqliteConnection, group: readonly SqliteRequest[]): SqliteResponse[] {
  if (group.length > 1) {
    const responses = runInOneCommit(connection, group)
    if (responses !== null) return responses
  }
  return group.map((request) => connection.answer(request))
}

/** @returns Null if nothing of the group was committed; its statements can be rerun one by one. */
function runInOneCommit(connection: SqliteConnection, group: readonly SqliteRequest[]): SqliteResponse[] | null {
  const control = (sql: string) =>
    connection.answer({ id: 0, connection: 'durable', sql, parameters: [], isInTransaction: false })
  if ('failure' in control('begin immediate')) return null
  const responses = group.map((request) => connection.answer({ ...request, isInTransaction: true }))
  // A failure normally undoes only its own statement; some, such as a full disk, abort the transaction and fail the
  // commit.
  if ('rows' in control('commit')) return responses
  connection.endTransaction()
  return null
}
