import { useEffect, useReducer, useRef } from 'react'
import type { AgentJobEvent } from '../../../src/contract/agent-job-event.ts'
import type { AgentJobResource } from '../../../src/contract/agent-job.ts'
import { ApiError } from './api-error.ts'
import { EventFrames, type NumberedEvent } from './event-frames.ts'
import { jobPath } from './jobs.ts'
import { readReply, send } from './request.ts'

export type JobEvent = NumberedEvent<AgentJobEvent>

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
    const path = `${jobPath({ id, projectId })}/events`
    let stop = new AbortController()
    const start = () => {
      stop.abort()
      if (document.hidden) return
      stop = new AbortController()
      void follow({ path, place: place.current, isLive: status === 'active', add, signal: stop.signal })
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

/** What came twice is kept once. */
function addNew(events: readonly JobEvent[], more: readonly JobEvent[]): readonly JobEvent[] {
  const last = events.at(-1)?.seq ?? 0
  const fresh = more.filter(({ seq }) => seq > last)
  return fresh.length === 0 ? events : [...events, ...fresh]
}

interface Following {
  path: string
  /** The last event that came. */
  place: { last: number }
  /** Whether there is more to come after the end of the stream. */
  isLive: boolean
  add(events: readonly JobEvent[]): void
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

async function readToEnd({ path, place, add, signal }: Following): Promise<'ended' | 'refused' | 'cut'> {
  try {
    for await (const events of readEvents(path, place.last, signal)) {
      // Nothing is told twice, also where two of them overlap.
      place.last = Math.max(place.last, events.at(-1)?.seq ?? 0)
      add(events)
    }
    return 'ended'
  } catch (error) {
    return error instanceof ApiError && error.status < 500 && error.status !== 429 ? 'refused' : 'cut'
  }
}

async function* readEvents(path: string, after: number, signal: AbortSignal): AsyncGenerator<JobEvent[]> {
  const response = await send(path, { headers: { 'last-event-id': String(after) }, signal })
  if (!response.ok || response.body === null) return void (await readReply(response))
  const frames = new EventFrames<AgentJobEvent>()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const events = frames.push(value)
    if (events.length > 0) yield events
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
