import { traceFetch } from '../telemetry/trace-fetch.ts'
import { boundReply } from './bounded-reply.ts'
import { ModelTimeoutError, type WatchDeps } from './call-watch.ts'

/**
 * A `fetch` that waits for the beginning of a reply no longer than `connectMs`, and reads no more of it than
 * `replyBounds`. Here and not around the call of a
 * model, because some provider packages hold a reply back until its first event.
 *
 * Rejects with a `ModelTimeoutError` then.
 */
export function createTimedFetch({ sleep }: Pick<WatchDeps, 'sleep'>, connectMs: number): typeof fetch {
  const traced = traceFetch((target, init) => fetch(target, init))
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
