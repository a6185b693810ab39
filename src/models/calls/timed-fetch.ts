import { traceFetch } from '../../telemetry/trace-fetch.ts'
import { boundReply } from './bounded-reply.ts'
import { ModelTimeoutError, type WatchDeps } from './call-watch.ts'
import type { ReadingPace } from './reading-pace.ts'
import { streamWholeReply } from './whole-reply.ts'

/**
 * A `fetch` that rejects with a `ModelTimeoutError` if no reply begins within `connectMs`, and reads no more of it than
 * `replyBounds`. Wraps `fetch` rather than the model call, because some provider packages withhold a reply until its
 * first event.
 *
 * @param send Sends the request.
 */
export function createTimedFetch(
  { sleep, pace }: Pick<WatchDeps, 'sleep'> & { pace?: ReadingPace },
  connectMs: number,
  send: typeof fetch,
): typeof fetch {
  const traced = traceFetch(send)
  return async (target, init) => {
    const replied = new AbortController()
    const late = new AbortController()
    void endLate()
    const signal = init?.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal
    const reply = await traced(target, { ...init, signal }).finally(() => {
      // Nobody reads the reason; without one, an error with its stack would be made.
      replied.abort('The reply has begun.')
    })
    return streamWholeReply(
      boundReply(reply, pace),
      target instanceof Request ? target.url : String(target),
      init?.body,
    )

    async function endLate(): Promise<void> {
      await sleep(connectMs, replied.signal)
      if (!replied.signal.aborted) late.abort(new ModelTimeoutError('The provider did not begin a reply in time.'))
    }
  }
}
