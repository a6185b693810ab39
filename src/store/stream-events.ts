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
  sql<Value>`case when ${isNewer} then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`streamChats.${column}`)} end`

/**
 * Writes chats: their newest answer stands, and a chat that two readers have used stays marked.
 *
 * @param chats At least one, no two of the same key and chat id.
 */
export async function saveStreamChats(db: Kysely<Database>, chats: readonly StreamChat[]): Promise<StreamChatState[]> {
  const rows = await db
    .insertInto('streamChats')
    .values(chats.map((chat) => ({ ...toRow(chat), readAt: 0, stopId: null })))
    .onConflict((conflict) =>
      conflict.columns(['keyId', 'chatId']).doUpdateSet({
        isShared: sql<boolean>`case when stream_chats.is_shared = 1 or excluded.is_shared = 1 or ${isOtherReader} then 1 else 0 end`,
        address: newer<string>('address'),
        fp: newer<string>('fp'),
        audience: newer<string>('audience'),
        aliveAt: newer<number>('aliveAt'),
        keptUntil: newer<number | null>('keptUntil'),
        streamId: newer<string>('streamId'),
      }),
    )
    .returning(['keyId', 'chatId', 'isShared', 'streamId', 'readAt', 'stopId'])
    .execute()
  return rows.map((row) => ({
    keyId: row.keyId,
    chatId: row.chatId,
    isShared: row.isShared,
    streamId: row.streamId,
    readAt: row.readAt,
    stopId: row.stopId,
  }))
}

/** @param pieces At least one, of chats that exist. A piece that is there already stays as it is. */
export async function insertStreamPieces(db: Kysely<Database>, pieces: readonly StreamPiece[]): Promise<void> {
  await db
    .insertInto('streamEvents')
    .values(
      pieces.map((piece) => ({
        streamId: piece.streamId,
        seq: piece.seq,
        keyId: piece.keyId,
        chatId: piece.chatId,
        text: piece.text,
        isLast: piece.isLast,
      })),
    )
    // A write whose confirmation was lost is tried again.
    .onConflict((conflict) => conflict.columns(['streamId', 'seq']).doNothing())
    .execute()
}

export async function getStreamChat(db: Kysely<Database>, keyId: string, chatId: string): Promise<StreamChat | null> {
  const row = await db
    .selectFrom('streamChats')
    .selectAll()
    .where('keyId', '=', keyId)
    .where('chatId', '=', chatId)
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
    .selectFrom('streamEvents')
    .select(['seq', 'text', 'isLast'])
    .where('streamId', '=', streamId)
    .where('seq', '>=', fromSeq)
    .orderBy('seq')
    .execute()
  return rows.map(({ seq, text, isLast }) => ({ seq, text, isLast }))
}

/** Tells the process that writes the answer that somebody reads it here. */
export async function markStreamRead(
  db: Kysely<Database>,
  { keyId, chatId, streamId }: Pick<StreamChat, 'keyId' | 'chatId' | 'streamId'>,
  readAt: number,
): Promise<void> {
  await db
    .updateTable('streamChats')
    .set({ readAt })
    .where('keyId', '=', keyId)
    .where('chatId', '=', chatId)
    .where('streamId', '=', streamId)
    .execute()
}

/** Asks the process that writes the answer to stop it. @returns Whether it was running. */
export async function requestStreamStop(
  db: Kysely<Database>,
  { keyId, chatId, streamId }: Pick<StreamChat, 'keyId' | 'chatId' | 'streamId'>,
): Promise<boolean> {
  const result = await db
    .updateTable('streamChats')
    .set({ stopId: streamId })
    .where('keyId', '=', keyId)
    .where('chatId', '=', chatId)
    .where('streamId', '=', streamId)
    .where('keptUntil', 'is', null)
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
    .deleteFrom('streamEvents')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('streamChats')
            .select('streamChats.streamId')
            .whereRef('streamChats.keyId', '=', 'streamEvents.keyId')
            .whereRef('streamChats.chatId', '=', 'streamEvents.chatId')
            .whereRef('streamChats.streamId', '=', 'streamEvents.streamId')
            .where((chat) =>
              chat.or([
                chat('streamChats.keptUntil', '>', now),
                chat.and([chat('streamChats.keptUntil', 'is', null), chat('streamChats.aliveAt', '>=', deadBefore)]),
              ]),
            ),
        ),
      ),
    )
    .execute()
  await db.deleteFrom('streamChats').where('aliveAt', '<', idleBefore).execute()
}

function toRow(chat: StreamChat) {
  return {
    keyId: chat.keyId,
    chatId: chat.chatId,
    address: chat.address,
    fp: chat.fp,
    isShared: chat.isShared,
    streamId: chat.streamId,
    audience: chat.audience,
    aliveAt: chat.aliveAt,
    keptUntil: chat.keptUntil,
  }
}

function toChat(row: Row<'streamChats'>): StreamChat {
  return {
    keyId: row.keyId,
    chatId: row.chatId,
    address: row.address,
    fp: row.fp,
    isShared: row.isShared,
    streamId: row.streamId,
    audience: row.audience,
    aliveAt: row.aliveAt,
    keptUntil: row.keptUntil,
  }
}
