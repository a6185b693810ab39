import { type Listing, type ListRequest, toListing } from '../listing.ts'
import type { Db, NewRow, Row } from '../schema.ts'
import { answerTables } from '../tables/answers.ts'
import { columnsOf } from '../tables/define-table.ts'

/** Who asked and in which context. Stored on answers, for statistics over all of them. */
export interface AskedContext {
  /** Channel of the question, such as `widget` or `api`. */
  caller: string
  keyId: string | null
  /** Origin of the page that asked; null outside browsers. */
  origin: string | null
  /** As given in the request. */
  version: string | null
  language: string | null
  /** The reader's current page. */
  currentPath: string | null
  /** Paths of the pages read for the answer, in order. */
  triedPaths: string[]
}

/** A question or an answer. Fields of answers are null or empty on questions. */
export interface Message extends Omit<Row<'messages'>, keyof AskedContext | 'replacedBy'> {
  /** Null on questions. */
  asked: AskedContext | null
}

/** What a question has in the fields of answers. */
export const noAnswer = {
  sources: [],
  citations: [],
  verdict: null,
  generationId: null,
  model: null,
  usage: null,
  timings: null,
  costUsd: null,
  verdictReasons: [],
  questionId: null,
  asked: null,
  basis: null,
} satisfies Partial<Message>

/** @param messages At least one, of existing threads. */
export async function insertMessages(db: Db, messages: readonly Message[]): Promise<void> {
  await db.insertInto('messages').values(messages.map(toRow)).execute()
}

/** Oldest first, without replaced answers. The cursor is opaque; a foreign one starts from the top. */
export async function listMessages(
  db: Db,
  siteId: string,
  threadId: string,
  request: ListRequest,
): Promise<Listing<Message>> {
  const match = /^(\d{1,15})\.(.+)$/su.exec(request.cursor ?? '')
  let query = db
    .selectFrom('messages')
    .selectAll()
    .where((where) => where.and({ siteId, threadId, replacedBy: null }))
  if (match !== null) {
    const [at, id] = [Number(match[1]), match[2] ?? '']
    query = query.where((where) =>
      where.or([where('createdAt', '>', at), where.and([where('createdAt', '=', at), where('id', '>', id)])]),
    )
  }
  const rows = await query
    .orderBy('createdAt')
    .orderBy('id')
    .limit(request.limit + 1)
    .execute()
  return toListing(rows, request.limit, toMessage, (row) => `${row.createdAt}.${row.id}`)
}

/** The newest messages of a thread that were stored in a period, oldest first, without replaced answers. */
export async function listNewestMessages(
  db: Db,
  { siteId, id }: { siteId: string; id: string },
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<Message[]> {
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where((where) => where.and({ siteId, threadId: id, replacedBy: null }))
    .where('createdAt', '>=', from)
    .where('createdAt', '<', to)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse().map(toMessage)
}

/** All columns but the text, for queries that read only a part of it. */
export const messageColumns = columnsOf(answerTables.messages, 'text')

/** Spelled out, because all rows of an insert need the same columns. */
const notAsked = {
  caller: null,
  keyId: null,
  origin: null,
  version: null,
  language: null,
  currentPath: null,
  triedPaths: null,
}

function toRow({ asked, ...message }: Message): NewRow<'messages'> {
  return { ...message, ...(asked ?? notAsked) }
}

export function toMessage(row: Row<'messages'>): Message {
  const { caller, keyId, origin, version, language, currentPath, triedPaths, ...rest } = row
  const asked =
    caller === null ? null : { caller, keyId, origin, version, language, currentPath, triedPaths: triedPaths ?? [] }
  const { replacedBy: _replacedBy, ...message } = rest
  return { ...message, asked }
}
