import { boolean, childOf, id, integer, nullable, object, table, text, time } from './define-table.ts'
import { queueColumns, queueIndex } from './queue-columns.ts'

export type AutomationTrigger =
  | { type: 'manual' }
  /** @see `base/cron-times.ts` */
  | { type: 'schedule'; cron: string; timeZone: string }
  /** The branch that the site is read from has moved. */
  | { type: 'push' }
  /** The branch of a context repository has moved. */
  | { type: 'merge'; contextRepositoryId: string }

export const automationTables = {
  /** Jobs that are made again and again. */
  automations: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      name: text(),
      isEnabled: boolean(),
      prompt: text(),
      trigger: object<AutomationTrigger>(),
      openMax: integer(),
      dailyMax: integer(),
      revision: nullable(text()),
      coveredRevision: nullable(text()),
      version: integer(),
      started: integer(),
      dueAt: nullable(time()),
      claimedUntil: nullable(time()),
      failure: nullable(text()),
      createdAt: time(),
      updatedAt: time(),
    },
    { indexes: { bySite: ['siteId', 'id'], byDue: ['dueAt'] } },
  ),
  /** Firings of automations. The row is the queue of what is to be done about it. */
  automationRuns: table(
    {
      id: id(),
      automationId: childOf('automations.id'),
      occurrence: text(),
      cause: text<'manual' | 'merge' | 'push' | 'schedule'>(),
      fromRevision: nullable(text()),
      toRevision: nullable(text()),
      state: text<'queued' | 'started' | 'skipped' | 'failed'>(),
      outcome: nullable(text()),
      jobId: nullable(text()),
      ...queueColumns(),
      createdAt: time(),
      finishedAt: nullable(time()),
    },
    { unique: ['automationId', 'occurrence'], indexes: { due: queueIndex, byJob: ['jobId'] } },
  ),
}
