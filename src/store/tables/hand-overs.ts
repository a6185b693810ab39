import type { HandOverChannel, HandOverSaid, HandOverState } from '../../contract/hand-over.ts'
import { childOf, id, items, nullable, table, text, time } from './define-table.ts'
import { queueColumns, queueIndex } from './queue-columns.ts'

export const handOverTables = {
  /** Readers' messages to the people behind a site. */
  handOvers: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      /** Chosen by the client, so that a repeated request stores nothing. */
      requestId: text(),
      threadId: nullable(text()),
      page: nullable(text()),
      fields: items<{ label: string; value: string }>(),
      /** A copy, because the conversation may be deleted earlier. */
      transcript: items<HandOverSaid>(),
      /** Address to reply to. */
      replyTo: nullable(text()),
      state: text<HandOverState>(),
      createdAt: time(),
    },
    { unique: ['siteId', 'requestId'], indexes: { bySite: ['siteId', 'id'], byTime: ['createdAt'] } },
  ),
  /** E-mails and issues to be made of them. The row is the queue entry. */
  handOverSends: table(
    {
      id: id(),
      handOverId: childOf('handOvers.id'),
      channel: text<HandOverChannel>(),
      /** `failed`: retried only on request. */
      state: text<'queued' | 'succeeded' | 'failed'>(),
      ...queueColumns(),
      failure: nullable(text()),
      /** Address of the issue. */
      url: nullable(text()),
      createdAt: time(),
    },
    { unique: ['handOverId', 'channel'], indexes: { due: queueIndex } },
  ),
}
