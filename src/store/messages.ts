import type { Kysely } from 'kysely'
import type { TokenUsage } from '../contract/answer-event.ts'
import { parseItems, parseObject, parseStrings } from './json-column.ts'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, NewRow, Row } from './schema.ts'

/** A page that an answer cited. */
export interface MessageSource {
  url: string
  title: string
}

/** Milliseconds by the name of what took them. */
export type MessageTimings = { [name: string]: number }

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
    .where('site_id', '=', siteId)
    .where('thread_id', '=', threadId)
    .where('replaced_by', 'is', null)
  if (match !== null) {
    const [at, id] = [Number(match[1]), match[2] ?? '']
    query = query.where((where) =>
      where.or([where('created_at', '>', at), where.and([where('created_at', '=', at), where('id', '>', id)])]),
    )
  }
  const rows = await query
    .orderBy('created_at')
    .orderBy('id')
    .limit(request.limit + 1)
    .execute()
  return toListing(rows, request.limit, toMessage, (row) => `${row.created_at}.${row.id}`)
}

/** All columns but the text, for those who read a part of it. */
export const messageColumns = [
  'id',
  'site_id',
  'thread_id',
  'role',
  'sources',
  'verdict',
  'generation_id',
  'model',
  'usage',
  'timings',
  'cost_usd',
  'verdict_reasons',
  'turn_key',
  'question_id',
  'replaced_by',
  'caller',
  'key_id',
  'version',
  'language',
  'current_path',
  'tried_paths',
  'created_at',
] as const satisfies readonly (keyof Row<'messages'>)[]

function toRow(message: Message): NewRow<'messages'> {
  return {
    id: message.id,
    site_id: message.siteId,
    thread_id: message.threadId,
    role: message.role,
    text: message.text,
    sources: JSON.stringify(message.sources),
    verdict: message.verdict,
    generation_id: message.generationId,
    model: message.model,
    usage: message.usage === null ? null : JSON.stringify(message.usage),
    timings: message.timings === null ? null : JSON.stringify(message.timings),
    cost_usd: message.costUsd,
    verdict_reasons: message.verdictReasons.length === 0 ? null : JSON.stringify(message.verdictReasons),
    turn_key: message.turnKey,
    question_id: message.questionId,
    ...toAskedColumns(message.asked),
    created_at: message.createdAt,
  }
}

function toAskedColumns(asked: AskedContext | null) {
  return {
    caller: asked?.caller ?? null,
    key_id: asked?.keyId ?? null,
    version: asked?.version ?? null,
    language: asked?.language ?? null,
    current_path: asked?.currentPath ?? null,
    tried_paths: asked === null ? null : JSON.stringify(asked.triedPaths),
  }
}

function toAsked(row: Row<'messages'>): AskedContext | null {
  if (row.caller === null) return null
  return {
    caller: row.caller,
    keyId: row.key_id,
    version: row.version,
    language: row.language,
    currentPath: row.current_path,
    triedPaths: row.tried_paths === null ? [] : parseStrings('messages.tried_paths', row.tried_paths),
  }
}

export function toMessage(row: Row<'messages'>): Message {
  return {
    id: row.id,
    siteId: row.site_id,
    threadId: row.thread_id,
    role: row.role,
    text: row.text,
    sources: parseItems<MessageSource>('messages.sources', row.sources),
    verdict: row.verdict,
    generationId: row.generation_id,
    model: row.model,
    usage: row.usage === null ? null : parseObject<TokenUsage>('messages.usage', row.usage),
    timings: row.timings === null ? null : parseObject<MessageTimings>('messages.timings', row.timings),
    costUsd: row.cost_usd,
    verdictReasons: row.verdict_reasons === null ? [] : parseStrings('messages.verdict_reasons', row.verdict_reasons),
    turnKey: row.turn_key,
    questionId: row.question_id,
    asked: toAsked(row),
    createdAt: row.created_at,
  }
}
