/** Waits for work that may ignore its signal. Rejects with the reason of the signal as soon as that aborts. */
export async function rejectOnAbort<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    // Also with a signal that is aborted already: the work has begun, and may reject too.
    return await Promise.race([aborted.promise, work])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
