import type { ServerResponse } from 'node:http'
import { agentJobHeartbeat, encodeAgentJobEvent } from '../../contract/agent-job-event.ts'
import type { StartCountdown } from './countdown.ts'
import { streamTexts } from './stream-texts.ts'
import { ResponseWriter } from './response-writer.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { listAgentJobEvents } from '../../store/agent/agent-job-events.ts'
import { getAgentJob } from '../../store/agent/agent-jobs.ts'
import type { Store } from '../../store/store.ts'

export interface JobEventsReply extends FollowedJob {
  headers: Readonly<Record<string, string>>
  startCountdown: StartCountdown
  /** Aborts when the server stops: the stream ends, and the client reconnects. */
  signal: AbortSignal
}

export const jobEventHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const

/**
 * Sends the events of a job as server-sent events.
 *
 * @param response Must be untouched; ended when the promise resolves.
 */
export async function writeJobEvents(response: ServerResponse, reply: JobEventsReply): Promise<void> {
  response.writeHead(200, { ...jobEventHeaders, ...reply.headers })
  const { startCountdown } = reply
  const writer = new ResponseWriter(response, { heartbeat: agentJobHeartbeat, startCountdown })
  const left = new AbortController()
  response.once('close', () => left.abort())
  for await (const frame of followJobEvents(reply, AbortSignal.any([left.signal, reply.signal]))) {
    const writable = writer.write(frame)
    if (writable !== undefined) await writable
  }
  await writer.end()
}

/** The same for callers without a socket, such as a command in this process. */
export function streamJobEvents(job: FollowedJob, signal: AbortSignal): ReadableStream<Uint8Array> {
  return streamTexts(followJobEvents(job, signal))
}

interface FollowedJob {
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
async function* followJobEvents(job: FollowedJob, signal: AbortSignal): AsyncGenerator<string> {
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
