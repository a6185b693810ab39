import { setTimeout as wait } from 'node:timers/promises'
import { encodeAgentJobEvent } from '../../contract/agent-job-event.ts'
import { listAgentJobEvents } from '../../store/agent/agent-job-events.ts'
import { getAgentJob } from '../../store/agent/agent-jobs.ts'
import type { Store } from '../../store/store.ts'

export interface FollowedJob {
  store: Store
  jobId: string
  /** Number of the last event the client has; 0 for all. */
  after: number
}

const eventsAtOnce = 100
/** Events are polled from the database, because any process may write them. */
const pollMs = 150
const pollMsMax = 1_000

/** Yields the frames of a job's events after `after`, then live ones until the job ends or the signal aborts. */
export async function* followJobEvents(job: FollowedJob, signal: AbortSignal): AsyncGenerator<string> {
  const { store, jobId } = job
  let after = job.after
  let pauseMs = pollMs
  while (!signal.aborted) {
    // Read the job first: if it has already ended, the events read afterwards are complete.
    const found = await getAgentJob(store.durable, jobId)
    const events = await listAgentJobEvents(store.durable, { jobId, after, limit: eventsAtOnce })
    for (const { seq, event } of events) {
      after = seq
      yield encodeAgentJobEvent(seq, event)
    }
    if (events.length === eventsAtOnce) continue
    if (found?.status !== 'active') return
    pauseMs = events.length > 0 ? pollMs : Math.min(pauseMs * 1.3, pollMsMax)
    await wait(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
