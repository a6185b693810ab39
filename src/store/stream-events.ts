import { type Kysely, sql } from 'kysely'
import type { Database, Row } from './schema.ts'

/** The newest answer of a chat, and who may resume it. */
export interface StreamChat {
  keyId: string
  /** Chosen by the client, so that several may choose the same. */
  chatId: string
  address: string
  fp: string
  isShared: boolean
  streamId: string
  /** JSON: whom the answer was made for. */
  audience: string
  /** The last sign of life of the process that writes the answer. */
  aliveAt: number
  /** Null while the answer runs. */
  keptUntil: number | null
}

/** What a process learns of a chat of its own when it writes to it. */
export interface StreamChatState extends Pick<StreamChat, 'keyId' | 'chatId' | 'isShared' | 'streamId'> {
  /** When another process last read the answer for a client; 0 if none did. */
  readAt: number
  /** The answer that a client wants stopped. */
  stopId: string | null
}

/** A piece of an answer, as it goes over the wire. */
export interface StreamPiece {
  keyId: string
  chatId: string
  streamId: string
  /** From 0. */
  seq: number
  text: string
  isLast: boolean
}

const isNewer = sql`excluded.stream_id >= stream_chats.stream_id`
const isOtherReader = sql`stream_chats.address <> excluded.address or stream_chats.fp <> excluded.fp`

/** Takes the value of the newer answer, because two processes may write to one chat in any order. */
const newer = <Value>(column: string) =>
  sql<Value>`case when ${isNewer} then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`stream_chats.${column}`)} end`

/**
 * Writes chats: their newest answer stands, and a chat that two readers have used stays marked.
 *
 * @param chats At least one, no two of the same key and chat id.
 */
export async function saveStreamChats(db: Kysely<Database>, chats: readonly StreamChat[]): Promise<StreamChatState[]> {
  const rows = await db
    .insertInto('stream_chats')
    .values(chats.map((chat) => ({ ...toRow(chat), read_at: 0, stop_id: null })))
    .onConflict((conflict) =>
      conflict.columns(['key_id', 'chat_id']).doUpdateSet({
        is_shared: sql<number>`case when stream_chats.is_shared = 1 or excluded.is_shared = 1 or ${isOtherReader} then 1 else 0 end`,
        address: newer<string>('address'),
        fp: newer<string>('fp'),
        audience: newer<string>('audience'),
        alive_at: newer<number>('alive_at'),
        kept_until: newer<number | null>('kept_until'),
        stream_id: newer<string>('stream_id'),
      }),
    )
    .returning(['key_id', 'chat_id', 'is_shared', 'stream_id', 'read_at', 'stop_id'])
    .execute()
  return rows.map((row) => ({
    keyId: row.key_id,
    chatId: row.chat_id,
    isShared: row.is_shared === 1,
    streamId: row.stream_id,
    readAt: row.read_at,
    stopId: row.stop_id,
  }))
}

/** @param pieces At least one, of chats that exist. A piece that is there already stays as it is. */
export async function insertStreamPieces(db: Kysely<Database>, pieces: readonly StreamPiece[]): Promise<void> {
  await db
    .insertInto('stream_events')
    .values(
      pieces.map((piece) => ({
        stream_id: piece.streamId,
        seq: piece.seq,
        key_id: piece.keyId,
        chat_id: piece.chatId,
        text: piece.text,
        is_last: piece.isLast ? 1 : 0,
      })),
    )
    // A write whose confirmation was lost is tried again.
    .onConflict((conflict) => conflict.columns(['stream_id', 'seq']).doNothing())
    .execute()
}

export async function getStreamChat(db: Kysely<Database>, keyId: string, chatId: string): Promise<StreamChat | null> {
  const row = await db
    .selectFrom('stream_chats')
    .selectAll()
    .where('key_id', '=', keyId)
    .where('chat_id', '=', chatId)
    .executeTakeFirst()
  return row === undefined ? null : toChat(row)
}

/** The pieces from `fromSeq` on, in order. */
export async function listStreamPieces(
  db: Kysely<Database>,
  streamId: string,
  fromSeq: number,
): Promise<Pick<StreamPiece, 'seq' | 'text' | 'isLast'>[]> {
  const rows = await db
    .selectFrom('stream_events')
    .select(['seq', 'text', 'is_last'])
    .where('stream_id', '=', streamId)
    .where('seq', '>=', fromSeq)
    .orderBy('seq')
    .execute()
  return rows.map(({ seq, text, is_last }) => ({ seq, text, isLast: is_last === 1 }))
}

/** Tells the process that writes the answer that somebody reads it here. */
export async function markStreamRead(
  db: Kysely<Database>,
  { keyId, chatId, streamId }: Pick<StreamChat, 'keyId' | 'chatId' | 'streamId'>,
  readAt: number,
): Promise<void> {
  await db
    .updateTable('stream_chats')
    .set({ read_at: readAt })
    .where('key_id', '=', keyId)
    .where('chat_id', '=', chatId)
    .where('stream_id', '=', streamId)
    .execute()
}

/** Asks the process that writes the answer to stop it. @returns Whether it was running. */
export async function requestStreamStop(
  db: Kysely<Database>,
  { keyId, chatId, streamId }: Pick<StreamChat, 'keyId' | 'chatId' | 'streamId'>,
): Promise<boolean> {
  const result = await db
    .updateTable('stream_chats')
    .set({ stop_id: streamId })
    .where('key_id', '=', keyId)
    .where('chat_id', '=', chatId)
    .where('stream_id', '=', streamId)
    .where('kept_until', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export interface StreamRemoval {
  now: number
  /** Answers that run and whose process has given no sign of life since then are removed as well. */
  deadBefore: number
  /** Chats that nothing was written to since then are forgotten. */
  idleBefore: number
}

/** Removes the text of answers that are kept no longer or were followed by a newer one, and chats that lie idle. */
export async function removeEndedStreams(db: Kysely<Database>, removal: StreamRemoval): Promise<void> {
  const { now, deadBefore, idleBefore } = removal
  await db
    .deleteFrom('stream_events')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('stream_chats')
            .select('stream_chats.stream_id')
            .whereRef('stream_chats.key_id', '=', 'stream_events.key_id')
            .whereRef('stream_chats.chat_id', '=', 'stream_events.chat_id')
            .whereRef('stream_chats.stream_id', '=', 'stream_events.stream_id')
            .where((chat) =>
              chat.or([
                chat('stream_chats.kept_until', '>', now),
                chat.and([
                  chat('stream_chats.kept_until', 'is', null),
                  chat('stream_chats.alive_at', '>=', deadBefore),
                ]),
              ]),
            ),
        ),
      ),
    )
    .execute()
  await db.deleteFrom('stream_chats').where('alive_at', '<', idleBefore).execute()
}

function toRow(chat: StreamChat) {
  return {
    key_id: chat.keyId,
    chat_id: chat.chatId,
    address: chat.address,
    fp: chat.fp,
    is_shared: chat.isShared ? 1 : 0,
    stream_id: chat.streamId,
    audience: chat.audience,
    alive_at: chat.aliveAt,
    kept_until: chat.keptUntil,
  }
}

function toChat(row: Row<'stream_chats'>): StreamChat {
  return {
    keyId: row.key_id,
    chatId: row.chat_id,
    address: row.address,
    fp: row.fp,
    isShared: row.is_shared === 1,
    streamId: row.stream_id,
    audience: row.audience,
    aliveAt: row.alive_at,
    keptUntil: row.kept_until,
  }
}
