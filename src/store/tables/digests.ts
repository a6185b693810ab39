import type { WeeklyDigest } from '../../contract/weekly-digest.ts'
import { childOf, id, nullable, object, table, text, time } from './define-table.ts'
import { queueColumns, queueIndex } from './queue-columns.ts'

export const digestTables = {
  /** Weekly digests of sites, one for each week. The row is the queue entry. */
  digests: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      /** When its week began. */
      weekStart: time(),
      /** Null until it is written; from then on, webhooks and chats have been notified. */
      digest: nullable(object<WeeklyDigest>()),
      /** A sentence, if it could not be sent. */
      failure: nullable(text()),
      ...queueColumns(),
      createdAt: time(),
    },
    { unique: ['siteId', 'weekStart'], indexes: { due: queueIndex } },
  ),
}
