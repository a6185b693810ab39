import { setImmediate } from 'node:timers/promises'
import type { ResilientModelDeps } from '../../src/models/calls/resilient-model.ts'
import { silentLog } from '../../src/telemetry/log.ts'

export interface ManualTime {
  deps: ResilientModelDeps
  /** Every time that was slept for and came to its end, in order. */
  readonly slept: number[]
  /** Lets time pass: sleeps whose time is over then end, in order. */
  advance(ms: number): Promise<void>
  /** Ends every sleep at once from now on, so that waiting between retries takes no time. */
  skipWaits(): void
}

interface Sleep {
  ms: number
  endsAtMs: number
  end(): void
}

/** Time that stands still until the test moves it. The random number is always 0.5. */
export function createManualTime(): ManualTime {
  let nowMs = 1_000_000
  let isSkipping = false
  const sleeps = new Set<Sleep>()
  const slept: number[] = []
  const deps: ResilientModelDeps = {
    clock: { now: () => nowMs },
    random: () => 0.5,
    log: silentLog,
    sleep(ms, signal) {
      // Watches sleep for seconds; only what waits between retries is skipped.
      if (isSkipping && ms < 10_000) {
        nowMs += ms
        slept.push(ms)
        return Promise.resolve()
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      const sleep: Sleep = { ms, endsAtMs: nowMs + ms, end: resolve }
      sleeps.add(sleep)
      signal.addEventListener('abort', () => sleeps.delete(sleep) && resolve(), { once: true })
      return promise
    },
  }
  return {
    deps,
    slept,
    skipWaits: () => void (isSkipping = true),
    async advance(ms) {
      nowMs += ms
      for (const sleep of [...sleeps].toSorted((a, b) => a.endsAtMs - b.endsAtMs)) {
        if (sleep.endsAtMs > nowMs || !sleeps.delete(sleep)) continue
        slept.push(sleep.ms)
        sleep.end()
      }
      await setImmediate()
    },
  }
}
