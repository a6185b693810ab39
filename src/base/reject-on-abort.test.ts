import { expect, it, onTestFinished } from 'vitest'
import { rejectOnAbort } from './reject-on-abort.ts'

/** Rejections that nobody has handled, which would end a process. */
function watchRejections(): unknown[] {
  const unhandled: unknown[] = []
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', (reason) => void unhandled.push(reason))
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection')
    for (const listener of others) process.on('unhandledRejection', listener)
  })
  return unhandled
}

const nextTurn = () => new Promise((resolve) => void setTimeout(resolve, 0))

it('leaves no rejection of its work unhandled, whenever the signal aborts', async () => {
  const unhandled = watchRejections()
  const aborted = AbortSignal.abort(new Error('stopped'))
  const later = new AbortController()
  const failing = (async () => {
    await nextTurn()
    throw new Error('failed')
  })()

  await expect(rejectOnAbort(failing, aborted)).rejects.toThrow('stopped')
  const waiting = rejectOnAbort(Promise.reject(new Error('at once')), aborted)
  await expect(waiting).rejects.toThrow('stopped')
  const ignoring = rejectOnAbort(new Promise(() => undefined), later.signal)
  later.abort(new Error('enough'))
  await expect(ignoring).rejects.toThrow('enough')
  await nextTurn()
  await nextTurn()

  expect(unhandled).toEqual([])
})

it('passes on what the work comes to', async () => {
  const { signal } = new AbortController()

  expect(await rejectOnAbort(Promise.resolve('done'), signal)).toBe('done')
  await expect(rejectOnAbort(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed')
})
