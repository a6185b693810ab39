import { sql } from 'kysely'
import { firstRow, hasChanged } from '../queries.ts'
import type { Db, Row } from '../schema.ts'
import { columnsOf } from '../tables/define-table.ts'
import { streamTables } from '../tables/streams.ts'

/** A chat's newest answer and who may resume it. */
export type StreamChat = Omit<Row<'streamChats'>, 'readAt' | 'stopId'>

const chatColumns = columnsOf(streamTables.streamChats, 'readAt', 'stopId')

/** What a process learns when it writes one of its chats. */
export type StreamChatState = Pick<
  Row<'streamChats'>,
  'keyId' | 'chatId' | 'isShared' | 'streamId' | 'readAt' | 'stopId'
>

/** A piece of an answer in wire format. */
export type StreamPiece = Row<'streamEvents'>

const isNewer = sql`excluded.stream_id >= stream_chats.stream_id`
const isOtherReader = sql`stream_chats.address <> excluded.address or stream_chats.fp <> excluded.fp`

/** Keeps the value of the newer answer, because two processes may write a chat in any order. */
const newer = <Value>(column: string) =>
  sql<Value>`case when ${isNewer} then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`streamChats.${column}`)} end`

/**
 * Saves chats. The newest answer wins; a chat used by two readers stays marked as shared.
 *
 * @param chats At least one, no two with the same key and chat id.
 */
export function saveStreamChats(db: Db, chats: readonly StreamChat[]): Promise<StreamChatState[]> {
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

/** Existing pieces are left unchanged. @param pieces At least one, of existing chats. */
export async function insertStreamPieces(db: Db, pieces: readonly StreamPiece[]): Promise<void> {
  await db
    .insertInto('streamEvents')
    .values(
      pieces.map(({ streamId, seq, keyId, chatId, text, isLast }) => ({ streamId, seq, keyId, chatId, text, isLast })),
    )
    // A write is retried if its confirmation was lost.
    .onConflict((conflict) => conflict.columns(['streamId', 'seq']).doNothing())
    .execute()
}

export function getStreamChat(db: Db, keyId: string, chatId: string): Promise<StreamChat | null> {
  return firstRow(
    db.selectFrom('streamChats').select(chatColumns).where('keyId', '=', keyId).where('chatId', '=', chatId),
  )
}

/** The pieces from `fromSeq` on, in order. */
export function listStreamPieces(
  db: Db,
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

/** Signals the writing process that the answer is being read here. */
export async function markStreamRead(
  db: Db,
  { keyId, chatId, streamId }: Pick<StreamChat, 'keyId' | 'chatId' | 'streamId'>,
  readAt: number,
): Promise<void> {
  await db
    .updateTable('streamChats')
    .set({ readAt })
    .where((where) => where.and({ keyId, chatId, streamId }))
    .execute()
}

/** Asks the writing process to stop the answer. @returns Whether it was running. */
export function requestStreamStop(
  db: Db,
  { keyId, chatId, streamId }: Pick<StreamChat, 'keyId' | 'chatId' | 'streamId'>,
): Promise<boolean> {
  return hasChanged(
    db
      .updateTable('streamChats')
      .set({ stopId: streamId })
      .where((where) => where.and({ keyId, chatId, streamId, keptUntil: null })),
  )
}

export interface StreamRemoval {
  now: number
  /** Running answers are removed too if their process has sent no heartbeat since. */
  deadBefore: number
  /** Chats without writes since then are deleted. */
  idleBefore: number
}

/** Removes the text of expired and superseded answers, and idle chats. */
export async function removeEndedStreams(db: Db, removal: StreamRemoval): Promise<void> {
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
