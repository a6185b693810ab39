import { expect, it, vi } from 'vitest'
import { silentLog } from '../telemetry/log.ts'
import { ClaimLoops } from './claim-loops.ts'

const limits = { timeout: 30_000, interval: 5 }

/** Loops over a list of work, which each piece leaves by a call of `end`. */
function startLoops({ pollMs }: { pollMs: number }) {
  const queue: string[] = []
  const running = new Map<string, () => void>()
  const stopped: string[] = []
  let looks = 0
  const loops = new ClaimLoops<string>({
    log: silentLog,
    name: 'test',
    count: 3,
    pollMs,
    claim: async () => {
      looks++
      return queue.shift() ?? null
    },
    work: (piece, signal) =>
      new Promise((resolve) => {
        running.set(piece, resolve)
        signal.addEventListener('abort', () => {
          stopped.push(piece)
          resolve()
        })
      }),
  })
  loops.start()
  return { loops, queue, running, stopped, looks: () => looks }
}

it('takes up as much at once as it has loops, however the work becomes known', async () => {
  const { loops, queue, running, looks } = startLoops({ pollMs: 5 })
  await vi.waitFor(() => expect(looks()).toBeGreaterThan(3), limits)

  queue.push('a', 'b', 'c', 'd')
  await vi.waitFor(() => expect([...running.keys()]).toEqual(['a', 'b', 'c']), limits)
  running.get('b')?.()
  await vi.waitFor(() => expect([...running.keys()]).toEqual(['a', 'b', 'c', 'd']), limits)

  await loops.stop()
})

it('looks at once when it is woken, and without that only one of its loops polls', async () => {
  const { loops, queue, running, looks } = startLoops({ pollMs: 1_000_000 })
  await vi.waitFor(() => expect(looks()).toBe(3), limits)

  queue.push('a')
  loops.wake()

  await vi.waitFor(() => expect([...running.keys()]).toEqual(['a']), limits)
  await loops.stop()
})

it('tells the work that goes on to stop, and waits for it', async () => {
  const { loops, queue, running, stopped } = startLoops({ pollMs: 5 })
  queue.push('a')
  await vi.waitFor(() => expect(running.size).toBe(1), limits)

  await loops.stop()

  expect(stopped).toEqual(['a'])
})

it('goes on after a claim or a piece of work has thrown', async () => {
  const done: number[] = []
  let looks = 0
  const loops = new ClaimLoops<number>({
    log: silentLog,
    name: 'test',
    count: 1,
    pollMs: 1,
    claim: async () => {
      if (++looks === 1) throw new Error('no database')
      return looks < 5 ? looks : null
    },
    work: async (piece) => {
      if (piece === 2) throw new Error('broken')
      done.push(piece)
    },
  })

  loops.start()
  await vi.waitFor(() => expect(done).toEqual([3, 4]), limits)
  await loops.stop()
})
