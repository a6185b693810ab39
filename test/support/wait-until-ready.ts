import { setTimeout as wait } from 'node:timers/promises'

const readyMsMax = 120_000
const pauseMs = 20

/** Waits until a server can answer questions. One that does not listen yet counts as not ready. */
export async function waitUntilReady(url: string): Promise<void> {
  const endsAt = performance.now() + readyMsMax
  let said = 'nothing'
  while (performance.now() < endsAt) {
    const response = await fetch(`${url}/readyz`).catch(() => null)
    said = (await response?.text()) ?? 'nothing'
    if (response?.ok) return
    await wait(pauseMs)
  }
  throw new Error(`${url} is not ready after ${readyMsMax / 1_000} s: it says ${said}`)
}
