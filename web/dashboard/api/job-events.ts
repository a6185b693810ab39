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

/** Before the stream is asked for again, after it was cut or the service went away. */
const retryMs = 1_500

/**
 * The events of a job from its beginning, and live while it is active. A stream that is cut goes on after the last event
 * that came; while nobody looks at the tab there is none, because browsers open six connections to a service at most.
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
    // What became of a pull request is told after the end of the job.
  }, [id, projectId, status, state])
  return events
}

/** Events that arrive twice are kept once. */
function addNew(events: readonly JobEvent[], event: JobEvent): readonly JobEvent[] {
  return event.seq > (events.at(-1)?.seq ?? 0) ? [...events, event] : events
}

interface Following {
  job: { id: string; projectId: string }
  /** The last event that came. */
  place: { last: number }
  /** Whether there is more to come after the end of the stream. */
  isLive: boolean
  add(event: JobEvent): void
  signal: AbortSignal
}

/** Never rejects. */
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
      // Where two streams overlap, each event still counts once.
      place.last = Math.max(place.last, event.seq)
      add(event)
    }
    return 'ended'
  } catch (error) {
    return error instanceof ApiError && error.status < 500 && error.status !== 429 ? 'refused' : 'cut'
  }
}

/** Not every browser can iterate over a stream. */
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
