import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../contract/app-error.ts'
import { inTransaction } from './in-transaction.ts'
import type { Store } from './store.ts'
import { type AnswerRecord, writeAnswers } from './answers/write-answers.ts'

export interface WriteGroupOptions {
  /** Shortest time between the starts of two groups. */
  intervalMs: number
  /** Most answers waiting at the same time; further ones are refused. */
  waitingMax?: number
}

/** Writes answers durably, many at a time. */
export interface WriteGroup {
  /**
   * Resolves when the answer is committed.
   *
   * @throws {AppError} `database_unavailable` when the database does not answer, the queue is full or the group is
   *   closed.
   */
  add(record: AnswerRecord): Promise<void>
  /** Resolves when everything added before has been written or refused. Never rejects. */
  flush(): Promise<void>
  /** Flushes, and refuses later additions. */
  close(): Promise<void>
}

/** Keeps a group's statements below the parameter limits of both databases. */
const groupAnswersMax = 200

const waitingMaxDefault = 10_000

interface Entry {
  record: AnswerRecord
  resolve(): void
  reject(error: unknown): void
}

/**
 * Groups the durable writes of answers that finish together: a commit waits some milliseconds for the disk, whether it
 * carries one answer or two hundred. An answer that finishes alone is written immediately.
 */
export function createWriteGroup(store: Store, options: WriteGroupOptions): WriteGroup {
  const { intervalMs, waitingMax = waitingMaxDefault } = options
  const waiting: Entry[] = []
  let writing: Promise<void> | null = null
  let isClosed = false

  const writeAll = async () => {
    while (waiting.length > 0) {
      const pause = sleep(intervalMs)
      await writeEntries(store, waiting.splice(0, groupAnswersMax))
      if (waiting.length > 0 && !isClosed) await pause
    }
    writing = null
  }
  const add = (record: AnswerRecord) =>
    new Promise<void>((resolve, reject) => {
      if (isClosed) return reject(refused('Docent is stopping'))
      if (waiting.length >= waitingMax) return reject(refused('too many answers are waiting to be stored'))
      waiting.push({ record, resolve, reject })
      writing ??= writeAll()
    })
  // A writing round ends only when nothing waits.
  const flush = () => writing ?? Promise.resolve()
  const close = () => {
    isClosed = true
    return flush()
  }
  return { add, flush, close }
}

/** Never rejects: every entry gets its own outcome. */
async function writeEntries(store: Store, entries: readonly Entry[]): Promise<void> {
  try {
    const records = entries.map(({ record }) => record)
    await inTransaction(store.durable, (transaction) => writeAnswers(transaction, records))
    for (const entry of entries) entry.resolve()
  } catch (error) {
    const isHopeless = error instanceof AppError && error.code === 'database_unavailable'
    if (entries.length === 1 || isHopeless) {
      for (const entry of entries) entry.reject(error)
      return
    }
    // One answer that the database rejects must not fail the others.
    for (const entry of entries) await writeEntries(store, [entry])
  }
}

function refused(reason: string): AppError {
  return new AppError(
    'database_unavailable',
    `The answer was not stored because ${reason}. Ask again in a few seconds.`,
  )
}
