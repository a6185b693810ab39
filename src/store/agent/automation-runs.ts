import type { Kysely } from 'kysely'
import { type Listing, type ListRequest, toListing } from '../listing.ts'
import { type Claim, claimNext, type ClaimTimes, finishClaim } from '../queue.ts'
import type { Database, Row } from '../schema.ts'

export type AutomationCause = 'manual' | 'merge' | 'push' | 'schedule'

/** One firing of an automation, and what came of it. The row is the queue. */
export interface AutomationRun {
  id: string
  automationId: string
  /** Names the firing: no automation has two runs of one. */
  occurrence: string
  cause: AutomationCause
  /** Where a branch moved from and to; null where none did. */
  from: string | null
  to: string | null
  state: 'queued' | 'started' | 'skipped' | 'failed'
  /** A sentence; null while it waits for its first try. */
  outcome: string | null
  /** The job that works on it; null unless started. */
  jobId: string | null
  /** Counts the claims. It fences: a write with an older attempt changes nothing. */
  attempt: number
  createdAt: number
  finishedAt: number | null
}

/** What was decided longer ago is forgotten when the automation fires. */
const keptMs = 90 * 24 * 3_600_000

/** Queues a run. @returns False where the automation has a run of that occurrence. */
export async function insertAutomationRun(
  db: Kysely<Database>,
  run: Pick<AutomationRun, 'id' | 'automationId' | 'occurrence' | 'cause' | 'from' | 'to'> & { now: number },
): Promise<boolean> {
  const { now } = run
  await db
    .deleteFrom('automationRuns')
    .where('automationId', '=', run.automationId)
    .where('state', '!=', 'queued')
    .where('createdAt', '<', now - keptMs)
    .execute()
  const row = await db
    .insertInto('automationRuns')
    .values({
      id: run.id,
      automationId: run.automationId,
      occurrence: run.occurrence,
      cause: run.cause,
      fromRevision: run.from,
      toRevision: run.to,
      state: 'queued',
      outcome: null,
      jobId: null,
      attempt: 0,
      runAt: now,
      isClaimed: false,
      createdAt: now,
      finishedAt: null,
    })
    .onConflict((conflict) => conflict.columns(['automationId', 'occurrence']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function getAutomationRun(
  db: Kysely<Database>,
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

export async function claimAutomationRun(db: Kysely<Database>, times: ClaimTimes): Promise<AutomationRun | null> {
  const row = await claimNext(db, 'automationRuns', times)
  return row && toRun(row)
}

/** What turns a run into a job or a message to one, in the transaction that writes those. */
export interface AutomationStart {
  run: Claim
  automationId: string
  /** How many runs had been started when it was decided what this one does. */
  started: number
  /** Up to where the agent is told what has changed; null where no branch is watched. */
  coveredRevision: string | null
  /** A sentence. */
  outcome: string
}

/** Another run of the automation was quicker, or this one is not held any more: decide anew. */
export class AutomationMovedError extends Error {
  constructor() {
    super('The automation has started another run meanwhile.')
  }
}

/** @throws {AutomationMovedError} which takes the transaction back. */
export async function startAutomationRun(
  transaction: Kysely<Database>,
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

/** Runs that came to a job since a moment. */
export async function countStartedRuns(db: Kysely<Database>, automationId: string, since: number): Promise<number> {
  const row = await db
    .selectFrom('automationRuns')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('automationId', '=', automationId)
    .where('state', '=', 'started')
    .where('finishedAt', '>=', since)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** The jobs that runs of an automation came to, the newest first, each once. */
export async function listJobsOfAutomation(
  db: Kysely<Database>,
  automationId: string,
  limit: number,
): Promise<string[]> {
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

/** The jobs that automations of a site have made, the newest first, each once. */
export async function listAutomationJobsOfSite(db: Kysely<Database>, siteId: string, limit: number): Promise<string[]> {
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

/** The newest first; ids sort by time; the cursor is an id. */
export async function listAutomationRuns(
  db: Kysely<Database>,
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

/** For a process that has the database to itself: whoever was checking branches is dead. */
export async function releaseAutomations(db: Kysely<Database>): Promise<void> {
  await db.updateTable('automations').set({ claimedUntil: null }).where('claimedUntil', 'is not', null).execute()
}

function toRun(row: Row<'automationRuns'>): AutomationRun {
  const { fromRevision: from, toRevision: to, isClaimed: _, runAt: __, ...run } = row
  return { ...run, from, to }
}
