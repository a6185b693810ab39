import { setTimeout as wait } from 'node:timers/promises'
import { isFirstStartDone } from '../store/installation.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'

export interface WaitForFirstStartDeps {
  store: Pick<Store, 'durable'>
  log: Log
  /** Resolves after the time, or as soon as the signal aborts. Keeps the process alive. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

const pollMs = 1_000

/** Resolves once another process has performed the first start, or when the signal aborts. */
export async function waitForFirstStart(deps: WaitForFirstStartDeps, signal: AbortSignal): Promise<void> {
  const { store, log, pause = pauseFor } = deps
  if (await isFirstStartDone(store.durable)) return
  const reason =
    'The first server to start on this database sets it up and prints the keys. This worker then continues.'
  log.info({ reason }, 'worker-waiting-for-first-start')
  while (!signal.aborted && !(await isFirstStartDone(store.durable))) await pause(pollMs, signal)
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined)
}
