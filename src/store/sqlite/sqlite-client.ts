import { Worker } from 'node:worker_threads'
import { AppError } from '../../contract/app-error.ts'
import { toDatabaseError } from '../database-error.ts'
import { FolderInUseError } from '../folder-in-use-error.ts'
import type {
  SqliteFailure,
  SqliteOrder,
  SqliteReport,
  SqliteRequest,
  SqliteResponse,
  SqliteRows,
  SqliteWorkerData,
} from './sqlite-protocol.ts'
import { WriteGate } from './write-gate.ts'

/** Longer than any of our transactions takes, short enough to expose a request that waits for itself. */
const gateWaitMsMax = 30_000

/** How long closing waits for open transactions before it aborts them. */
const drainMsMax = 10_000

/** A statement rejected by SQLite. */
class SqliteError extends Error {
  override readonly name = 'SqliteError'
  /** SQLite's extended result code, or null if the error is not from SQLite. */
  readonly resultCode: number | null

  constructor(failure: SqliteFailure) {
    super(failure.message)
    this.resultCode = failure.resultCode
  }
}

interface Pending {
  resolve(rows: SqliteRows): void
  reject(error: unknown): void
}

/** Sends statements to the worker thread that owns the embedded database. */
export class SqliteClient {
  readonly gate = new WriteGate(gateWaitMsMax)
  readonly #worker: Worker
  readonly #pending = new Map<number, Pending>()
  #outbox: SqliteRequest[] = []
  #lastId = 0
  #openTransactions = 0
  #isClosing = false
  /** Why statements can no longer run; null while they can. */
  #end: Error | null = null
  #wakeDrain: (() => void) | null = null
  readonly #ended: Promise<void>

  constructor(worker: Worker) {
    this.#worker = worker
    worker.on('message', (report: SqliteReport) => {
      if (report.type === 'ran') this.#settle(report.responses)
    })
    worker.on('error', (error) => this.#stop(stoppedError(error)))
    this.#ended = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#stop(this.#isClosing ? closedError() : stoppedError(null))
        resolve()
      })
    })
  }

  /** Resolves with the rows. Calls run in order. */
  run(statement: Omit<SqliteRequest, 'id'>): Promise<SqliteRows> {
    return new Promise((resolve, reject) => {
      if (this.#end !== null) {
        reject(this.#end)
        return
      }
      this.#lastId += 1
      this.#pending.set(this.#lastId, { resolve, reject })
      this.#outbox.push({ id: this.#lastId, ...statement })
      // One message carries all requests of this event loop turn.
      if (this.#outbox.length === 1) setImmediate(() => this.#send())
    })
  }

  /** @throws {AppError} `database_unavailable` when the store is closing or its worker has stopped. */
  assertOpen(): void {
    if (this.#end !== null) throw this.#end
    if (this.#isClosing) throw closedError()
  }

  transactionBegan(): void {
    this.#openTransactions += 1
  }

  transactionEnded(): void {
    this.#openTransactions -= 1
    this.#wakeDrain?.()
  }

  /** Waits for running statements and, for a bounded time, open transactions; then releases the folder. */
  async close(): Promise<void> {
    if (this.#isClosing || this.#end !== null) return this.#ended
    this.#isClosing = true
    this.gate.refuseAll(closedError())
    await this.#drainTransactions()
    this.#send()
    this.#post({ type: 'close' })
    return this.#ended
  }

  async #drainTransactions(): Promise<void> {
    if (this.#openTransactions === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, drainMsMax)
      this.#wakeDrain = () => {
        if (this.#openTransactions > 0) return
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #send(): void {
    if (this.#outbox.length === 0) return
    const requests = this.#outbox
    this.#outbox = []
    try {
      this.#post({ type: 'run', requests })
    } catch (error) {
      this.#refuse(requests, error)
    }
  }

  #post(order: SqliteOrder): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    this.#worker.postMessage(order)
  }

  /** A value that cannot be cloned fails the whole message, so the requests are resent one by one. */
  #refuse(requests: readonly SqliteRequest[], cause: unknown): void {
    for (const request of requests) {
      try {
        this.#post({ type: 'run', requests: [request] })
      } catch {
        const failure = { message: `A parameter of a statement cannot be stored: ${String(cause)}`, resultCode: null }
        this.#settle([{ id: request.id, failure }])
      }
    }
  }

  #settle(responses: readonly SqliteResponse[]): void {
    for (const response of responses) {
      const pending = this.#pending.get(response.id)
      this.#pending.delete(response.id)
      if ('rows' in response) pending?.resolve(response.rows)
      else pending?.reject(toDatabaseError(new SqliteError(response.failure)))
    }
  }

  #stop(error: Error): void {
    this.#end ??= error
    this.gate.refuseAll(this.#end)
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const waiter of pending) waiter.reject(this.#end)
  }
}

/**
 * Starts the worker and locks the folder.
 *
 * @param folder Absolute path of an existing folder.
 * @throws {FolderInUseError} when another process, or another store of this process, uses it.
 */
export async function startSqliteClient(folder: string): Promise<SqliteClient> {
  const file = new URL('./sqlite-worker.ts', import.meta.url)
  // Rows are short-lived, so a small young generation suffices.
  const resourceLimits = { maxYoungGenerationSizeMb: 8 }
  const workerData: SqliteWorkerData = { folder }
  const worker = new Worker(file, { name: 'docent-sqlite', workerData, resourceLimits })
  const report = await firstReport(worker)
  if (report.type === 'opened') return new SqliteClient(worker)
  await worker.terminate()
  if (report.type === 'folder-in-use') throw new FolderInUseError(folder)
  const reason = report.type === 'open-failed' ? report.failure.message : `it said ${report.type} first`
  throw new Error(
    `The database in ${folder} cannot be opened: ${reason}. Check the folder's permissions and free space.`,
  )
}

function firstReport(worker: Worker): Promise<SqliteReport> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(stoppedError(null)))
  })
}

function stoppedError(cause: unknown): AppError {
  return new AppError(
    'database_unavailable',
    'The embedded database has stopped. Restart Docent; no confirmed write is lost.',
    {
      cause,
    },
  )
}

function closedError(): AppError {
  return new AppError(
    'database_unavailable',
    'The database is closed because Docent is stopping. Try again once it has started.',
  )
}
