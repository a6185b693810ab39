import type { Kysely } from 'kysely'
import type { TokenUsage } from '../contract/answer-event.ts'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, NewRow, Row } from './schema.ts'
import type { MessageSource, MessageTimings } from './tables/answers.ts'

export type { MessageSource, MessageTimings } from './tables/answers.ts'

/** Who asked, and about what: of answers, for those who look at all of them. */
export interface AskedContext {
  /** What the question came through, such as `widget` or `api`. */
  caller: string
  keyId: string | null
  /** As the request named them. */
  version: string | null
  language: string | null
  /** The page that the reader was on. */
  currentPath: string | null
  /** Paths of the pages that were read for the answer, in order. */
  triedPaths: string[]
}

/** A question or an answer of a thread. What only answers have is null, or empty, on questions. */
export interface Message {
  /** Made by the service: ids that clients choose may repeat. */
  id: string
  siteId: string
  threadId: string
  role: 'user' | 'assistant'
  text: string
  sources: MessageSource[]
  verdict: string | null
  /** Generation of the index that the answer was made from; it may be gone by now. */
  generationId: string | null
  model: string | null
  usage: TokenUsage | null
  timings: MessageTimings | null
  /** US dollars; null when the price of the model is not known. */
  costUsd: number | null
  /** Why the verdict is what it is, in sentences. */
  verdictReasons: string[]
  /** Of questions: the same for the same question at the same place of its thread, so that an answer made anew is told. */
  turnKey: string | null
  /** Of answers: the message that they answer. */
  questionId: string | null
  /** Null on questions, and on answers from before this was kept. */
  asked: AskedContext | null
  createdAt: number
}

/** @param messages At least one, of threads that exist. */
export async function insertMessages(db: Kysely<Database>, messages: readonly Message[]): Promise<void> {
  await db.insertInto('messages').values(messages.map(toRow)).execute()
}

/** Oldest first, without answers that were replaced; the cursor is opaque, and one that this function did not make starts from the top. */
export async function listMessages(
  db: Kysely<Database>,
  siteId: string,
  threadId: string,
  request: ListRequest,
): Promise<Listing<Message>> {
  const match = /^(\d{1,15})\.(.+)$/su.exec(request.cursor ?? '')
  let query = db
    .selectFrom('messages')
    .selectAll()
    .where('siteId', '=', siteId)
    .where('threadId', '=', threadId)
    .where('replacedBy', 'is', null)
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

/** All columns but the text, for those who read a part of it. */
export const messageColumns = [
  'id',
  'siteId',
  'threadId',
  'role',
  'sources',
  'verdict',
  'generationId',
  'model',
  'usage',
  'timings',
  'costUsd',
  'verdictReasons',
  'turnKey',
  'questionId',
  'replacedBy',
  'caller',
  'keyId',
  'version',
  'language',
  'currentPath',
  'triedPaths',
  'createdAt',
] as const satisfies readonly (keyof Row<'messages'>)[]

function toRow(message: Message): NewRow<'messages'> {
  return {
    id: message.id,
    siteId: message.siteId,
    threadId: message.threadId,
    role: message.role,
    text: message.text,
    sources: message.sources,
    verdict: message.verdict,
    generationId: message.generationId,
    model: message.model,
    usage: message.usage,
    timings: message.timings,
    costUsd: message.costUsd,
    verdictReasons: message.verdictReasons.length === 0 ? null : message.verdictReasons,
    turnKey: message.turnKey,
    questionId: message.questionId,
    ...toAskedColumns(message.asked),
    createdAt: message.createdAt,
  }
}

function toAskedColumns(asked: AskedContext | null) {
  return {
    caller: asked?.caller ?? null,
    keyId: asked?.keyId ?? null,
    version: asked?.version ?? null,
    language: asked?.language ?? null,
    currentPath: asked?.currentPath ?? null,
    triedPaths: asked === null ? null : asked.triedPaths,
  }
}

function toAsked(row: Row<'messages'>): AskedContext | null {
  if (row.caller === null) return null
  return {
    caller: row.caller,
    keyId: row.keyId,
    version: row.version,
    language: row.language,
    currentPath: row.currentPath,
    triedPaths: row.triedPaths === null ? [] : row.triedPaths,
  }
}

export function toMessage(row: Row<'messages'>): Message {
  return {
    id: row.id,
    siteId: row.siteId,
    threadId: row.threadId,
    role: row.role,
    text: row.text,
    sources: row.sources,
    verdict: row.verdict,
    generationId: row.generationId,
    model: row.model,
    usage: row.usage,
    timings: row.timings,
    costUsd: row.costUsd,
    verdictReasons: row.verdictReasons === null ? [] : row.verdictReasons,
    turnKey: row.turnKey,
    questionId: row.questionId,
    asked: toAsked(row),
    createdAt: row.createdAt,
  }
}
