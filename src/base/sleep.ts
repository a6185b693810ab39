/** Resolves after the time, or as soon as the signal aborts. Does not keep the process alive. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  // Most waits end early, for which `node:timers/promises` would create an error and its stack each time.
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms).unref()
    signal.addEventListener('abort', end, { once: true })
  })
}
