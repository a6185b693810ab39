import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { GapWorker, type GapWorkerDeps } from './gap-worker.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Its database is out of reach, so that each round says in the log that it failed. */
function startWorker() {
  const rounds: string[] = []
  const log = { warn: (_: object, message: string) => void rounds.push(message) }
  const worker = new GapWorker({ store: {}, log } as unknown as GapWorkerDeps)
  worker.start()
  return { worker, rounds }
}

it('takes up what a killed process has left seconds after the start, and looks again every minute', async () => {
  const { worker, rounds } = startWorker()

  await vi.advanceTimersByTimeAsync(5_000)
  expect(rounds).toEqual(['gap-round-failed'])
  await vi.advanceTimersByTimeAsync(120_000)
  await worker.stop()

  expect(rounds).toHaveLength(3)
})

it('begins no round once it is stopped', async () => {
  const { worker, rounds } = startWorker()

  await worker.stop()
  worker.wake()
  await vi.advanceTimersByTimeAsync(120_000)

  expect(rounds).toEqual([])
})
