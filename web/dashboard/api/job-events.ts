import { useEffect, useReducer, useRef } from 'react'
import { type AgentJobEvent, decodeAgentJobEvents } from '../../../src/contract/agent-job-event.ts'
import type { AgentJobResource } from '../../../src/contract/agent-job.ts'
import { agentJobOperations } from '../../../src/contract/operations/agent-jobs.ts'
import { ApiError } from './api-error.ts'
import { call } from './call.ts'

export interface JobEvent {
  seq: number
  event: AgentJobEvent
}

/** Delay before reconnecting to the stream. */
const retryMs = 1_500

/**
 * Events of a job from its beginning, live while it is active. Resumes a broken stream after the last event received.
 * Closes the stream while the tab is hidden, because browsers open at most six connections to a host.
 */
export function useJobEvents(job: AgentJobResource): readonly JobEvent[] {
  const [events, add] = useReducer(addNew, [])
  const place = useRef({ last: 0 })
  const { id, projectId, status, pullRequest } = job
  const state = pullRequest?.state
  useEffect(() => {
    let stop = new AbortController()
    const start = () => {
      stop.abort()
      if (document.hidden) return
      stop = new AbortController()
      void follow({
        job: { id, projectId },
        place: place.current,
        isLive: status === 'active',
        add,
        signal: stop.signal,
      })
    }
    start()
    document.addEventListener('visibilitychange', start)
    return () => {
      document.removeEventListener('visibilitychange', start)
      stop.abort()
    }
    // Pull requests change after the end of their job.
  }, [id, projectId, status, state])
  return events
}

/** Drops duplicates. */
function addNew(events: readonly JobEvent[], event: JobEvent): readonly JobEvent[] {
  return event.seq > (events.at(-1)?.seq ?? 0) ? [...events, event] : events
}

interface Following {
  job: { id: string; projectId: string }
  /** Sequence number of the last event received. */
  place: { last: number }
  /** Whether more events may follow the end of the stream. */
  isLive: boolean
  add(event: JobEvent): void
  signal: AbortSignal
}

async function follow(following: Following): Promise<void> {
  const { isLive, signal } = following
  while (!signal.aborted) {
    const outcome = await readToEnd(following)
    if (outcome === 'refused' || (outcome === 'ended' && !isLive)) return
    await wait(retryMs, signal)
  }
}

async function readToEnd({ job, place, add, signal }: Following): Promise<'ended' | 'refused' | 'cut'> {
  const headers = { 'Last-Event-ID': String(place.last) }
  try {
    const { body } = await call(agentJobOperations.followJob, { params: job, headers, signal, timeLimitMs: Infinity })
    if (body === null) return 'ended'
    for await (const event of decodeAgentJobEvents(readText(body))) {
      // Two streams may overlap.
      place.last = Math.max(place.last, event.seq)
      add(event)
    }
    return 'ended'
  } catch (error) {
    return error instanceof ApiError && error.status < 500 && error.status !== 429 ? 'refused' : 'cut'
  }
}

/** Not every browser supports async iteration over a stream. */
async function* readText(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
