import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../base/clock.ts'
import { claimIndexRun, enqueueIndexRun } from '../store/sites/index-runs.ts'
import { openStore } from '../store/open-store.ts'
import type { Claim } from '../store/queue.ts'
import type { Store } from '../store/store.ts'
import { seedSite } from '../../test/store/store-samples.ts'
import { silentLog } from '../telemetry/log.ts'
import { ClaimLoops, type ClaimLoopsOptions } from './claim-loops.ts'

let folder: string
let store: Store
let options: Pick<ClaimLoopsOptions<Claim>, 'store' | 'clock' | 'log' | 'name' | 'queue' | 'leaseMs'>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docent-claims-'))
  store = await openStore({ folder })
  options = { store, clock: systemClock, log: silentLog, name: 'test', queue: 'indexRuns', leaseMs: 60_000 }
})

afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const limits = { timeout: 30_000, interval: 5 }

/** Loops over a list of work; each piece ends on a call of `end`. */
function startLoops({ pollMs }: { pollMs: number }) {
  const queue: string[] = []
  const running = new Map<string, () => void>()
  const stopped: string[] = []
  let looks = 0
  const loops = new ClaimLoops<Claim>({
    ...options,
    count: 3,
    pollMs,
    claim: async () => {
      looks++
      const id = queue.shift()
      return id === undefined ? null : { id, attempt: 1 }
    },
    work: ({ id }, { stop }) =>
      new Promise((resolve) => {
        running.set(id, () => resolve('done'))
        stop.addEventListener('abort', () => {
          stopped.push(id)
          resolve('handed-back')
        })
      }),
  })
  loops.start()
  return { loops, queue, running, stopped, looks: () => looks }
}

it('does as much work concurrently as it has loops, however the work is announced', async () => {
  const { loops, queue, running, looks } = startLoops({ pollMs: 5 })
  await vi.waitFor(() => expect(looks()).toBeGreaterThan(3), limits)

  queue.push('a', 'b', 'c', 'd')
  await vi.waitFor(() => expect([...running.keys()]).toEqual(['a', 'b', 'c']), limits)
  running.get('b')?.()
  await vi.waitFor(() => expect([...running.keys()]).toEqual(['a', 'b', 'c', 'd']), limits)

  await loops.stop()
})

it('looks once for all idle loops, at the start and when woken, and goes on while there is work', async () => {
  const { loops, queue, running, looks } = startLoops({ pollMs: 1_000_000 })
  await vi.waitFor(() => expect(looks()).toBe(1), limits)
  loops.wake()
  await vi.waitFor(() => expect(looks()).toBe(2), limits)
  // Others would have looked by now.
  await new Promise(setImmediate)
  expect(looks()).toBe(2)

  queue.push('a', 'b', 'c')
  loops.wake()

  await vi.waitFor(() => expect([...running.keys()]).toEqual(['a', 'b', 'c']), limits)
  await loops.stop()
})

it('looks again for work that was announced while its only idle loop looked', async () => {
  const queue: string[] = []
  const done: string[] = []
  let looks = 0
  const loops: ClaimLoops<Claim> = new ClaimLoops<Claim>({
    ...options,
    count: 1,
    pollMs: 1_000_000,
    claim: async () => {
      const id = queue.shift()
      if (++looks === 1) {
        queue.push('a')
        loops.wake()
      }
      return id === undefined ? null : { id, attempt: 1 }
    },
    work: async ({ id }) => {
      done.push(id)
      return 'done'
    },
  })
  loops.start()

  await vi.waitFor(() => expect(done).toEqual(['a']), limits)
  await loops.stop()
  expect(looks).toBe(3)
})

it('stops running work and waits for it', async () => {
  const { loops, queue, running, stopped } = startLoops({ pollMs: 5 })
  queue.push('a')
  await vi.waitFor(() => expect(running.size).toBe(1), limits)

  await loops.stop()

  expect(stopped).toEqual(['a'])
})

it('continues after a claim or a piece of work has thrown', async () => {
  const done: string[] = []
  let looks = 0
  const loops = new ClaimLoops<Claim>({
    ...options,
    count: 1,
    pollMs: 1,
    claim: async () => {
      if (++looks === 1) throw new Error('no database')
      return looks < 5 ? { id: String(looks), attempt: 1 } : null
    },
    work: async ({ id }) => {
      if (id === '2') throw new Error('broken')
      done.push(id)
      return 'done'
    },
  })

  loops.start()
  await vi.waitFor(() => expect(done).toEqual(['3', '4']), limits)
  await loops.stop()
})

it('takes over the claims of a killed process on start, and notices when its own claim is lost', async () => {
  const site = await seedSite(store)
  const now = systemClock.now()
  const run = await enqueueIndexRun(store.durable, { id: 'run_1', siteId: site.id, cause: 'x', createdAt: now })
  await claimIndexRun(store.durable, { now, leaseUntil: now + 600_000 })
  const outcomes: string[] = []
  const loops = new ClaimLoops({
    ...options,
    leaseMs: 30,
    count: 1,
    pollMs: 5,
    claim: (times) => claimIndexRun(store.durable, times),
    work: async ({ attempt }, { lost }) => {
      // Another worker claims the run once its lease has lapsed, as after a long pause of the process.
      await claimIndexRun(store.durable, { now: systemClock.now() + 60_000, leaseUntil: now + 600_000 })
      await vi.waitFor(() => expect(lost.aborted).toBe(true), limits)
      outcomes.push(`lost ${attempt}`)
      return 'lost'
    },
  })

  loops.start()
  await vi.waitFor(() => expect(outcomes).toEqual(['lost 2']), limits)
  await loops.stop()

  expect(run.attempt).toBe(0)
})
