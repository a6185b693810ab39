import { maskSecrets } from '../../base/mask-secrets.ts'
import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import type { Db } from '../schema.ts'

/** A job's event with its sequence number, which counts from 1 within the job without gaps. */
export interface StoredAgentJobEvent {
  seq: number
  event: AgentJobEvent
}

/**
 * Appends events. Call it in the transaction that makes the change they describe: the job's row stays locked until it
 * ends, so that no two writers get the same number.
 */
export async function appendAgentJobEvents(
  db: Db,
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

/** The same event with secrets masked, whatever the origin of its texts. */
function maskEvent(event: AgentJobEvent): AgentJobEvent {
  // Only texts change, so it remains an event.
  return JSON.parse(JSON.stringify(event), (_key, value: unknown) =>
    typeof value === 'string' ? maskSecrets(value) : value,
  ) as AgentJobEvent
}

/** Databases limit the parameters of a statement. */
const rowsMax = 200

/** Inserts events that are already counted in the job's row. @param added.last Number of the last one. */
export async function insertAgentJobEvents(
  db: Db,
  { jobId, last, events, now }: { jobId: string; last: number; events: readonly AgentJobEvent[]; now: number },
): Promise<void> {
  if (events.length === 0) return
  const first = last - events.length + 1
  const rows = events.map((data, index) => ({ jobId, seq: first + index, data: maskEvent(data), createdAt: now }))
  for (let start = 0; start < rows.length; start += rowsMax) {
    await db
      .insertInto('jobEvents')
      .values(rows.slice(start, start + rowsMax))
      .execute()
  }
}

/** @param after Number of the last known event; 0 for all. */
export async function listAgentJobEvents(
  db: Db,
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

/** An end is the last event of a round, or followed by those of its pull request and of the next message. */
const eventsAfterEndMax = 50

/** How the newest round that ended did so; null if none has. */
export async function findLastJobEnd(db: Db, jobId: string): Promise<AgentJobEvent | null> {
  const rows = await db
    .selectFrom('jobEvents')
    .select('data')
    .where('jobId', '=', jobId)
    .orderBy('seq', 'desc')
    .limit(eventsAfterEndMax)
    .execute()
  return rows.find(({ data }) => data.type === 'job-completed' || data.type === 'job-failed')?.data ?? null
}
