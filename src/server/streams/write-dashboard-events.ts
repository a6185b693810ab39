import type { ServerResponse } from 'node:http'
import { type DashboardEvent, dashboardHeartbeat, encodeDashboardEvent } from '../../contract/dashboard-event.ts'
import type { StartCountdown } from './countdown.ts'
import { ResponseWriter } from './response-writer.ts'

export interface DashboardEventsReply {
  headers: Readonly<Record<string, string>>
  /** @returns Ends the subscription. */
  subscribe(listener: (event: DashboardEvent) => void): () => void
  startCountdown: StartCountdown
  /** Aborts when the stream must end; the client then reconnects. */
  signal: AbortSignal
}

const dashboardEventHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const

/** Most events queued for a slow client. Beyond that they collapse into one: reload everything. */
const waitingMax = 200

/**
 * Sends changes as server-sent events until the client disconnects or the signal aborts.
 *
 * @param response Must be untouched; ended when the promise resolves.
 */
export async function writeDashboardEvents(response: ServerResponse, reply: DashboardEventsReply): Promise<void> {
  response.writeHead(200, { ...dashboardEventHeaders, ...reply.headers })
  const { startCountdown } = reply
  const writer = new ResponseWriter(response, { heartbeat: dashboardHeartbeat, startCountdown })
  const left = new AbortController()
  response.once('close', () => left.abort())
  const waiting = new WaitingEvents()
  const end = reply.subscribe((event) => waiting.add(event))
  const signal = AbortSignal.any([left.signal, reply.signal])
  const wake = () => waiting.wake()
  signal.addEventListener('abort', wake, { once: true })
  while (!signal.aborted) {
    const text = waiting.take()
    if (text === '') await waiting.untilSome()
    else await writer.write(text)
  }
  signal.removeEventListener('abort', wake)
  end()
  await writer.end()
}

/** Deduplicates events, and collapses too many into one that represents all. */
export class WaitingEvents {
  #frames = new Set<string>()
  #wake: (() => void) | null = null

  add(event: DashboardEvent): void {
    if (event.type === 'everything-changed') this.#frames.clear()
    this.#frames.add(encodeDashboardEvent(event))
    if (this.#frames.size > waitingMax) this.#frames = new Set([encodeDashboardEvent({ type: 'everything-changed' })])
    this.wake()
  }

  /** Takes all queued events as frames; empty if there are none. */
  take(): string {
    const text = [...this.#frames].join('')
    this.#frames.clear()
    return text
  }

  wake(): void {
    this.#wake?.()
    this.#wake = null
  }

  untilSome(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#frames.size > 0) resolve()
      else this.#wake = resolve
    })
  }
}
