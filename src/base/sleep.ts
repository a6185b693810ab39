/** Resolves after the time, or as soon as the signal aborts. Does not keep the process alive. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  // Not `node:timers/promises`, which makes an error with its stack for each wait that ends early, as most do.
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
