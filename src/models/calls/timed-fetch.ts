import { traceFetch } from '../../telemetry/trace-fetch.ts'
import { boundReply } from './bounded-reply.ts'
import { ModelTimeoutError, type WatchDeps } from './call-watch.ts'

/**
 * A `fetch` that waits no longer than `connectMs` for a reply to begin, and reads no more of it than `replyBounds`. Done
 * here rather than around the call of a model, because some provider packages hold a reply back until its first event.
 *
 * Rejects with a `ModelTimeoutError` then.
 *
 * @param send What sends the request.
 */
export function createTimedFetch(
  { sleep }: Pick<WatchDeps, 'sleep'>,
  connectMs: number,
  send: typeof fetch,
): typeof fetch {
  const traced = traceFetch(send)
  return async (target, init) => {
    const replied = new AbortController()
    const late = new AbortController()
    void endLate()
    const signal = init?.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal
    try {
      return boundReply(await traced(target, { ...init, signal }))
    } finally {
      replied.abort()
    }

    async function endLate(): Promise<void> {
      await sleep(connectMs, replied.signal)
      if (!replied.signal.aborted) late.abort(new ModelTimeoutError('The provider did not begin a reply in time.'))
    }
  }
}
