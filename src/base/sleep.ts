import { setTimeout as wait } from 'node:timers/promises'

/** Resolves after the time, or as soon as the signal aborts. Does not keep the process alive. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  // The abort is what ends it early, and its caller knows of it.
  await wait(ms, undefined, { signal, ref: false }).catch(() => undefined)
}
