import { type Kysely, sql } from 'kysely'
import type { Database, Row } from '../schema.ts'
import { columnsOf } from '../tables/define-table.ts'
import { streamTables } from '../tables/streams.ts'

/** The newest answer of a chat, and who may resume it. */
export type StreamChat = Omit<Row<'streamChats'>, 'readAt' | 'stopId'>

const chatColumns = columnsOf(streamTables.streamChats, 'readAt', 'stopId')

/** What a process learns of a chat of its own when it writes to it. */
export type StreamChatState = Pick<
  Row<'streamChats'>,
  'keyId' | 'chatId' | 'isShared' | 'streamId' | 'readAt' | 'stopId'
>

/** A piece of an answer, as it goes over the wire. */
export type StreamPiece = Row<'streamEvents'>

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
export function saveStreamChats(db: Kysely<Database>, chats: readonly StreamChat[]): Promise<StreamChatState[]> {
  return db
    .insertInto('streamChats')
    .values(chats.map((chat) => ({ ...chat, readAt: 0, stopId: null })))
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
}

/** @param pieces At least one, of chats that exist. A piece that is there already stays as it is. */
export async function insertStreamPieces(db: Kysely<Database>, pieces: readonly StreamPiece[]): Promise<void> {
  await db
    .insertInto('streamEvents')
    .values(
      pieces.map(({ streamId, seq, keyId, chatId, text, isLast }) => ({ streamId, seq, keyId, chatId, text, isLast })),
    )
    // A write whose confirmation was lost is tried again.
    .onConflict((conflict) => conflict.columns(['streamId', 'seq']).doNothing())
    .execute()
}

export async function getStreamChat(db: Kysely<Database>, keyId: string, chatId: string): Promise<StreamChat | null> {
  const row = await db
    .selectFrom('streamChats')
    .select(chatColumns)
    .where('keyId', '=', keyId)
    .where('chatId', '=', chatId)
    .executeTakeFirst()
  return row ?? null
}

/** The pieces from `fromSeq` on, in order. */
export function listStreamPieces(
  db: Kysely<Database>,
  streamId: string,
  fromSeq: number,
): Promise<Pick<StreamPiece, 'seq' | 'text' | 'isLast'>[]> {
  return db
    .selectFrom('streamEvents')
    .select(['seq', 'text', 'isLast'])
    .where('streamId', '=', streamId)
    .where('seq', '>=', fromSeq)
    .orderBy('seq')
    .execute()
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
