import { boolean, childOf, integer, nullable, table, text, time } from './define-table.ts'

export const streamTables = {
  /** What a chat of a client is resumed by: its newest answer, and who may see it. One row per key and chat id. */
  streamChats: table(
    {
      keyId: childOf('keys.id'),
      chatId: text(),
      address: text(),
      fp: text(),
      /** Set once another address or `fp` has used the chat id; never taken back while the row lives. */
      isShared: boolean(),
      /** The newest answer; ids sort by time. */
      streamId: text(),
      /** JSON: whether the reader is signed in, and the groups that the answer was made for. */
      audience: text(),
      /** The last sign of life of the process that writes the answer. */
      aliveAt: time(),
      /** Null while the answer runs. */
      keptUntil: nullable(time()),
      /** When another process last read the answer for a client. */
      readAt: time(),
      /** The answer that a client wants stopped. */
      stopId: nullable(text()),
    },
    { uncopied: 'Answers that run right now, and for some minutes after.', primaryKey: ['keyId', 'chatId'] },
  ),
  /** The text of answers, as it goes over the wire, in pieces. */
  streamEvents: table(
    {
      streamId: text(),
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
