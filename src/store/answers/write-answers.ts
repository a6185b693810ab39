import { insertMessages, type Message } from './messages.ts'
import type { Db } from '../schema.ts'
import { saveThreads, type Thread } from './threads.ts'

/** A finished answer to store: its thread, which may exist already, and the new messages. */
export interface AnswerRecord {
  thread: Thread
  messages: readonly Message[]
  /**
   * Whether the answer replaces earlier ones if its thread already has the question, by `turnKey`. `newest`: only if no
   * question followed; `any`: anywhere in the thread. Absent: never.
   */
  replaces?: 'newest' | 'any'
}

/** Keeps statements below the parameter limits of both databases. */
const rowsMax = 500

/**
 * Writes answers within the caller's transaction.
 *
 * Locks the rows of their threads until it ends, so that of two concurrent answers to one question, even in different
 * processes, the later one replaces the earlier.
 */
export async function writeAnswers(transaction: Db, records: readonly AnswerRecord[]): Promise<void> {
  for (const some of slicesOf(mergeThreads(records), rowsMax)) await saveThreads(transaction, some)
  const { fresh, repeated } = await splitRepeated(transaction, records)
  const messages = fresh.flatMap((record) => record.messages)
  for (const some of slicesOf(messages, rowsMax)) await insertMessages(transaction, some)
  for (const record of repeated) await writeRepeated(transaction, record)
}

/**
 * Separates answers whose question may be stored already or occurs twice in this group; they are written one by one.
 */
async function splitRepeated(transaction: Db, records: readonly AnswerRecord[]) {
  const keys = records.flatMap((record) => (record.replaces === undefined ? [] : [turnKeyOf(record)]))
  const known = new Set(
    await findTurns(
      transaction,
      keys.filter((key) => key !== null),
    ),
  )
  const fresh: AnswerRecord[] = []
  const repeated: AnswerRecord[] = []
  for (const record of records) {
    const key = turnKeyOf(record)
    const mayRepeat = record.replaces !== undefined && key !== null && known.has(key)
    ;(mayRepeat ? repeated : fresh).push(record)
    if (key !== null) known.add(key)
  }
  return { fresh, repeated }
}

async function findTurns(db: Db, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const rows = await db.selectFrom('messages').select('turnKey').where('turnKey', 'in', keys).execute()
  return rows.flatMap(({ turnKey }) => turnKey ?? [])
}

function turnKeyOf({ messages }: AnswerRecord): string | null {
  return messages.find(({ role }) => role === 'user')?.turnKey ?? null
}

async function writeRepeated(transaction: Db, record: AnswerRecord): Promise<void> {
  const question = await findQuestion(transaction, record)
  if (question === null) return insertMessages(transaction, record.messages)
  for (const answer of record.messages.filter(({ role }) => role === 'assistant')) {
    const before = await replaceAnswers(transaction, question.id, answer.id)
    // In the middle of a thread, the new answer takes the old one's position.
    const createdAt = question.isNewest ? answer.createdAt : (before ?? answer.createdAt)
    await insertMessages(transaction, [{ ...answer, questionId: question.id, createdAt }])
  }
}

/** The stored question that the record repeats; null if it is a new turn. */
async function findQuestion(db: Db, record: AnswerRecord): Promise<{ id: string; isNewest: boolean } | null> {
  const { siteId, id: threadId } = record.thread
  const questions = db
    .selectFrom('messages')
    .select('id')
    .where((where) => where.and({ siteId, threadId, role: 'user' }))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
  const same = await questions.where('turnKey', '=', turnKeyOf(record)).executeTakeFirst()
  if (same === undefined) return null
  const isNewest = (await questions.executeTakeFirst())?.id === same.id
  return isNewest || record.replaces === 'any' ? { id: same.id, isNewest } : null
}

/** @returns Creation time of the replaced answer; null if there was none. */
async function replaceAnswers(db: Db, questionId: string, answerId: string): Promise<number | null> {
  const replaced = await db
    .updateTable('messages')
    .set({ replacedBy: answerId })
    .where('questionId', '=', questionId)
    .where('replacedBy', 'is', null)
    .returning('createdAt')
    .execute()
  return replaced[0]?.createdAt ?? null
}

/**
 * Merges threads to one row each, because a statement may not touch a row twice: the first writer's, with the latest
 * time. Sorted, so that replicas that write the same threads lock them in the same order.
 */
function mergeThreads(records: readonly AnswerRecord[]): Thread[] {
  const threads = new Map<string, Thread>()
  for (const { thread } of records) {
    const key = `${thread.siteId}\u0000${thread.id}`
    const first = threads.get(key)
    threads.set(
      key,
      first === undefined ? thread : { ...first, updatedAt: Math.max(first.updatedAt, thread.updatedAt) },
    )
  }
  return [...threads].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, thread]) => thread)
}

function* slicesOf<Item>(items: readonly Item[], length: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += length) yield items.slice(start, start + length)
}
