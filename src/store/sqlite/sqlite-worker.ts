import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { movedCode } from '../database-error.ts'
import { refuseWrites, runBatch, type SqliteConnections } from './sqlite-batch.ts'
import { describeFailure, SqliteConnection } from './sqlite-connection.ts'
import type { SqliteOrder, SqliteReport, SqliteRequest, SqliteWorkerData } from './sqlite-protocol.ts'

// The program of the worker thread that owns the embedded database, so that the event loop never waits for a disk.

/**
 * Only external tools can make a write wait, such as a backup that holds a lock: our own transactions run one at a
 * time.
 */
const foreignLockMsMax = 5_000

/** Pages of 4 KiB in the log before a checkpoint, which waits for the disk twice. */
const checkpointPages = 4_000

/** SQLITE_BUSY, the low byte of the extended codes. */
const busyCode = 5

/** The files that hold what is written, and the lock that keeps other processes from writing. */
const fileNames = ['lock.db', 'docent.db', 'docent.db-wal']

interface OpenDatabase {
  lock: DatabaseSync
  connections: SqliteConnections
  /** Inodes of `fileNames` when they were opened. */
  inodes: readonly (number | null)[]
}

/** Stays open for life: the lock ends with the process, even if it is killed, and never goes stale. */
function lockFolder(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, 'lock.db'), { timeout: 0 })
  lock.exec('begin exclusive')
  return lock
}

function openConnection(folder: string, pragmas: readonly string[]): SqliteConnection {
  const database = new DatabaseSync(join(folder, 'docent.db'), {
    timeout: foreignLockMsMax,
    enableForeignKeyConstraints: true,
  })
  for (const pragma of [...pragmas, `wal_autocheckpoint = ${checkpointPages}`]) database.exec(`pragma ${pragma}`)
  return new SqliteConnection(database)
}

function openDatabase(folder: string): OpenDatabase {
  const lock = lockFolder(folder)
  const connections = {
    durable: openConnection(folder, ['journal_mode = wal', 'synchronous = full']),
    relaxed: openConnection(folder, ['synchronous = normal']),
    reader: openConnection(folder, ['query_only = on']),
  }
  return { lock, connections, inodes: readInodes(folder) }
}

function readInodes(folder: string): (number | null)[] {
  return fileNames.map((name) => {
    try {
      return statSync(join(folder, name)).ino
    } catch {
      return null
    }
  })
}

/** What is written to a file without a name is gone when this process ends, so it must not be confirmed. */
function run(folder: string, { connections, inodes }: OpenDatabase, requests: readonly SqliteRequest[]) {
  const writes = requests.some(({ connection }) => connection !== 'reader')
  const moved = writes ? readInodes(folder).findIndex((inode, index) => inode !== inodes[index]) : -1
  if (moved === -1) return runBatch(connections, requests)
  const message = `${fileNames[moved]} is not the file that was opened`
  return refuseWrites(connections, requests, { message, resultCode: movedCode })
}

function close({ lock, connections }: OpenDatabase): void {
  for (const connection of Object.values(connections)) connection.close()
  lock.close()
}

/** Takes all queued orders, so that writes that wait during a commit can share the next one. */
function takeOrders(port: MessagePort, first: SqliteOrder): { requests: SqliteRequest[]; isLast: boolean } {
  const requests: SqliteRequest[] = []
  // The main thread sends nothing but orders.
  const next = () => receiveMessageOnPort(port)?.message as SqliteOrder | undefined
  for (let order: SqliteOrder | undefined = first; order !== undefined; order = next()) {
    if (order.type === 'close') return { requests, isLast: true }
    requests.push(...order.requests)
  }
  return { requests, isLast: false }
}

function serve(port: MessagePort, folder: string): void {
  const report = (message: SqliteReport) => {
    port.postMessage(message)
  }
  let open: OpenDatabase
  try {
    open = openDatabase(folder)
  } catch (error) {
    const failure = describeFailure(error)
    const isInUse = failure.resultCode !== null && (failure.resultCode & 0xff) === busyCode
    report(isInUse ? { type: 'folder-in-use' } : { type: 'open-failed', failure })
    port.close()
    return
  }
  port.on('message', (order: SqliteOrder) => {
    const { requests, isLast } = takeOrders(port, order)
    if (requests.length > 0) report({ type: 'ran', responses: run(folder, open, requests) })
    if (!isLast) return
    close(open)
    report({ type: 'closed' })
    port.close()
  })
  report({ type: 'opened' })
}

if (parentPort === null) throw new Error('This file is the program of a worker thread: start it with `new Worker`.')
serve(parentPort, (workerData as SqliteWorkerData).folder)
