import type { Kysely } from 'kysely'
import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import type { Database } from '../schema.ts'

/** An event of a job with its place: numbers count from 1 within the job, without a gap. */
export interface StoredAgentJobEvent {
  seq: number
  event: AgentJobEvent
}

/**
 * Adds events at the end. Call it in the transaction that makes what they tell true: the row of the job stays locked
 * until its end, so that no two writers take the same number.
 */
export async function appendAgentJobEvents(
  db: Kysely<Database>,
  jobId: string,
  events: readonly AgentJobEvent[],
  now: number,
): Promise<void> {
  if (events.length === 0) return
  const { eventCount: last } = await db
    .updateTable('agentJobs')
    .set((set) => ({ eventCount: set('eventCount', '+', events.length) }))
    .where('id', '=', jobId)
    .returning('eventCount')
    .executeTakeFirstOrThrow()
  await insertAgentJobEvents(db, { jobId, last, events, now })
}

/** The rows of events that were counted in the row of their job. @param added.last Number of the last of them. */
export async function insertAgentJobEvents(
  db: Kysely<Database>,
  { jobId, last, events, now }: { jobId: string; last: number; events: readonly AgentJobEvent[]; now: number },
): Promise<void> {
  if (events.length === 0) return
  const first = last - events.length + 1
  await db
    .insertInto('jobEvents')
    .values(events.map((data, index) => ({ jobId, seq: first + index, data, createdAt: now })))
    .execute()
}

/** @param after Number of the last event that is known; 0 for all. */
export async function listAgentJobEvents(
  db: Kysely<Database>,
  request: { jobId: string; after: number; limit: number },
): Promise<StoredAgentJobEvent[]> {
  const rows = await db
    .selectFrom('jobEvents')
    .select(['seq', 'data'])
    .where('jobId', '=', request.jobId)
    .where('seq', '>', request.after)
    .orderBy('seq')
    .limit(request.limit)
    .execute()
  return rows.map(({ seq, data }) => ({ seq, event: data }))
}
