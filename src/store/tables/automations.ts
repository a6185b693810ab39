import { boolean, childOf, id, integer, nullable, object, table, text, time } from './define-table.ts'
import { queueColumns, queueIndex } from './queue-columns.ts'

export type AutomationTrigger =
  | { type: 'manual' }
  /** @see `base/cron-times.ts` */
  | { type: 'schedule'; cron: string; timeZone: string }
  /** The site's branch has moved. */
  | { type: 'push' }
  /** A context repository's branch has moved. */
  | { type: 'merge'; contextRepositoryId: string }

export const automationTables = {
  /** Recurring jobs and their triggers. */
  automations: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      name: text(),
      isEnabled: boolean(),
      /** May contain placeholders. */
      prompt: text(),
      trigger: object<AutomationTrigger>(),
      /** Most pull requests open at the same time. */
      openMax: integer(),
      /** Most runs per UTC day. */
      dailyMax: integer(),
      /** Commit of the watched branch at the last check; null before the first check or if no branch is watched. */
      revision: nullable(text()),
      /** Commit up to which runs have covered the changes. */
      coveredRevision: nullable(text()),
      /** Counts changes. Fencing token: a check that began under an older version changes nothing. */
      version: integer(),
      /** Number of runs that started a job. */
      started: integer(),
      /** When the schedule next fires or the branch is next checked; null if neither. */
      dueAt: nullable(time()),
      claimedUntil: nullable(time()),
      /** Why the last check of the branch failed. */
      failure: nullable(text()),
      createdAt: time(),
      updatedAt: time(),
    },
    { indexes: { bySite: ['siteId', 'id'], byDue: ['dueAt'] } },
  ),
  /** Runs of automations. The row is the queue entry. */
  automationRuns: table(
    {
      id: id(),
      automationId: childOf('automations.id'),
      /** Identifies the firing: an automation runs once per occurrence, whichever process saw it. */
      occurrence: text(),
      cause: text<'manual' | 'merge' | 'push' | 'schedule'>(),
      fromRevision: nullable(text()),
      toRevision: nullable(text()),
      state: text<'queued' | 'started' | 'skipped' | 'failed'>(),
      /** A sentence; null until the first attempt. */
      outcome: nullable(text()),
      /** Null unless started. */
      jobId: nullable(text()),
      ...queueColumns(),
      createdAt: time(),
      finishedAt: nullable(time()),
    },
    { unique: ['automationId', 'occurrence'], indexes: { due: queueIndex, byJob: ['jobId'] } },
  ),
}
