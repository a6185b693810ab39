import { dayMs } from '../../base/durations.ts'
import { type Listing, type ListRequest, toListing } from '../listing.ts'
import { hasRow } from '../queries.ts'
import { type Claim, claimNext, type ClaimTimes, finishClaim, unclaimed } from '../queue.ts'
import type { Db, Row } from '../schema.ts'

export type AutomationCause = 'manual' | 'merge' | 'push' | 'schedule'

/** One firing of an automation and its outcome. The row is the queue entry. */
export interface AutomationRun {
  id: string
  automationId: string
  /** Identifies the firing; unique within the automation. */
  occurrence: string
  cause: AutomationCause
  /** The branch's old and new commit; null if no branch moved. */
  from: string | null
  to: string | null
  state: 'queued' | 'started' | 'skipped' | 'failed'
  /** A sentence; null until the first attempt. */
  outcome: string | null
  /** The job that the run started or extended; null unless started. */
  jobId: string | null
  /** Counts claims. Fencing token: a write with an older attempt changes nothing. */
  attempt: number
  createdAt: number
  finishedAt: number | null
}

/** Older finished runs are deleted when the automation fires. */
const keptMs = 90 * dayMs

/** Queues a run. @returns False if the automation already has a run of that occurrence. */
export async function insertAutomationRun(
  db: Db,
  run: Pick<AutomationRun, 'id' | 'automationId' | 'occurrence' | 'cause' | 'from' | 'to'> & { now: number },
): Promise<boolean> {
  const { now } = run
  await db
    .deleteFrom('automationRuns')
    .where('automationId', '=', run.automationId)
    .where('state', '!=', 'queued')
    .where('createdAt', '<', now - keptMs)
    .execute()
  return hasRow(
    db
      .insertInto('automationRuns')
      .values({
        id: run.id,
        automationId: run.automationId,
        occurrence: run.occurrence,
        cause: run.cause,
        fromRevision: run.from,
        toRevision: run.to,
        state: 'queued',
        ...unclaimed(now),
        createdAt: now,
      })
      .onConflict((conflict) => conflict.columns(['automationId', 'occurrence']).doNothing())
      .returning('id'),
  )
}

export async function getAutomationRun(
  db: Db,
  run: Pick<AutomationRun, 'automationId' | 'occurrence'>,
): Promise<AutomationRun | null> {
  const row = await db
    .selectFrom('automationRuns')
    .selectAll()
    .where('automationId', '=', run.automationId)
    .where('occurrence', '=', run.occurrence)
    .executeTakeFirst()
  return row === undefined ? null : toRun(row)
}

export async function claimAutomationRun(db: Db, times: ClaimTimes): Promise<AutomationRun | null> {
  const row = await claimNext(db, 'automationRuns', times)
  return row && toRun(row)
}

/** Turns a run into a job, or into a message to one, within the transaction that writes it. */
export interface AutomationStart {
  run: Claim
  automationId: string
  /** Count of started runs at the time of the decision. */
  started: number
  /** Commit up to which the agent is told about changes; null if no branch is watched. */
  coveredRevision: string | null
  /** A sentence. */
  outcome: string
}

/** Another run of the automation was faster, or the claim on this one was lost: decide again. */
export class AutomationMovedError extends Error {
  constructor() {
    super('The automation has started another run in the meantime.')
  }
}

/** @throws {AutomationMovedError} to roll the transaction back. */
export async function startAutomationRun(
  transaction: Db,
  { run, automationId, started, coveredRevision, outcome }: AutomationStart,
  { jobId, now }: { jobId: string; now: number },
): Promise<void> {
  const counted = await transaction
    .updateTable('automations')
    .set({ started: started + 1, ...(coveredRevision !== null && { coveredRevision }) })
    .where('id', '=', automationId)
    .where('started', '=', started)
    .executeTakeFirst()
  if (counted.numUpdatedRows === 0n) throw new AutomationMovedError()
  const end = { state: 'started' as const, outcome, jobId, finishedAt: now }
  if ((await finishClaim(transaction, 'automationRuns', run, end)) === null) throw new AutomationMovedError()
}

/** Number of runs that started a job since a given time. */
export async function countStartedRuns(db: Db, automationId: string, since: number): Promise<number> {
  const row = await db
    .selectFrom('automationRuns')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('automationId', '=', automationId)
    .where('state', '=', 'started')
    .where('finishedAt', '>=', since)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Jobs of an automation's runs, newest run first, without duplicates. */
export async function listJobsOfAutomation(db: Db, automationId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('automationRuns')
    .select(({ fn }) => ['jobId', fn.max('id').as('newest')])
    .where('automationId', '=', automationId)
    .where('jobId', 'is not', null)
    .groupBy('jobId')
    .orderBy('newest', 'desc')
    .limit(limit)
    .execute()
  return rows.flatMap(({ jobId }) => (jobId === null ? [] : [jobId]))
}

/** Jobs of all automations of a site, newest run first, without duplicates. */
export async function listAutomationJobsOfSite(db: Db, siteId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('automationRuns')
    .innerJoin('automations', 'automations.id', 'automationRuns.automationId')
    .select(({ fn }) => ['automationRuns.jobId', fn.max('automationRuns.id').as('newest')])
    .where('automations.siteId', '=', siteId)
    .where('automationRuns.jobId', 'is not', null)
    .groupBy('automationRuns.jobId')
    .orderBy('newest', 'desc')
    .limit(limit)
    .execute()
  return rows.flatMap(({ jobId }) => (jobId === null ? [] : [jobId]))
}

/** Newest first; the cursor is an id (ids sort by time). */
export async function listAutomationRuns(
  db: Db,
  { automationId, limit, cursor }: ListRequest & { automationId: string },
): Promise<Listing<AutomationRun>> {
  let query = db.selectFrom('automationRuns').selectAll().where('automationId', '=', automationId)
  if (cursor) query = query.where('id', '<', cursor)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toRun, (row) => row.id)
}

/** Releases every claim. Only for a process with exclusive use of the database: all claimants are dead. */
export async function releaseAutomations(db: Db): Promise<void> {
  await db.updateTable('automations').set({ claimedUntil: null }).where('claimedUntil', 'is not', null).execute()
}

function toRun(row: Row<'automationRuns'>): AutomationRun {
  const { fromRevision: from, toRevision: to, isClaimed: _, runAt: __, ...run } = row
  return { ...run, from, to }
}
