import { boolean, childOf, integer, nullable, table, text, time } from './define-table.ts'

export const streamTables = {
  /** The newest answer of each chat and who may resume it. */
  streamChats: table(
    {
      keyId: childOf('keys.id'),
      /** Chosen by the client; two clients may choose the same id. */
      chatId: text(),
      address: text(),
      fp: text(),
      /** Set permanently once another address or `fp` uses the chat id. */
      isShared: boolean(),
      /** The newest answer; ids sort by time. */
      streamId: text(),
      /** JSON: whether the reader is signed in, and the groups that the answer was made for. */
      audience: text(),
      /** Last heartbeat of the process writing the answer. */
      aliveAt: time(),
      /** Null while the answer is being written. */
      keptUntil: nullable(time()),
      /** When another process last read the answer for a client; 0: never. */
      readAt: time(),
      /** The answer that a client has asked to stop. */
      stopId: nullable(text()),
    },
    { uncopied: 'Answers in progress, and for some minutes after.', primaryKey: ['keyId', 'chatId'] },
  ),
  /** The wire text of answers, in pieces. */
  streamEvents: table(
    {
      streamId: text(),
      /** Counts from 0. */
      seq: integer(),
      keyId: text(),
      chatId: text(),
      text: text(),
      isLast: boolean(),
    },
    {
      uncopied: 'The text of those answers.',
      primaryKey: ['streamId', 'seq'],
      parent: { table: 'streamChats', columns: ['keyId', 'chatId'], keys: ['keyId', 'chatId'] },
      indexes: { byChat: ['keyId', 'chatId'] },
    },
  ),
}
