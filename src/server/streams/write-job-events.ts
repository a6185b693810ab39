import type { ServerResponse } from 'node:http'
import { agentJobHeartbeat } from '../../contract/agent-job-event.ts'
import type { StartCountdown } from './countdown.ts'
import { type FollowedJob, followJobEvents } from './follow-job-events.ts'
import { ResponseWriter } from './response-writer.ts'

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
  const frames = followJobEvents(job, signal)
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const next = await frames.next()
      if (next.done === true) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
    cancel: async () => void (await frames.return(undefined)),
  })
}
