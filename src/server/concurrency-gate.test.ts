import { expect, it } from 'vitest'
import { ConcurrencyGate } from './concurrency-gate.ts'

/** Pieces of work by number, which end when they are told to, also before they have begun. */
function createWork() {
  const started: number[] = []
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const work = (name: number) => async () => {
    started.push(name)
    await ends[name]?.promise
    return name
  }
  return { started, work, end: (name: number) => ends[name]?.resolve(), fail: () => ends[0]?.reject(new Error('x')) }
}

it('runs a few at once and the others in their order', async () => {
  const gate = new ConcurrencyGate({ runningMax: 2, waitingMax: 10 })
  const { started, work, end } = createWork()
  const results = [0, 1, 2, 3].map((name) => gate.run(work(name)))
  await Promise.resolve()
  expect(started).toEqual([0, 1])

  end(1)
  expect(await results[1]).toBe(1)
  end(0)
  expect(await results[0]).toBe(0)
  end(2)
  end(3)

  expect(await Promise.all(results)).toEqual([0, 1, 2, 3])
  expect(started).toEqual([0, 1, 2, 3])
})

it('refuses who would wait too long a line, and lets the next in after a failure', async () => {
  const gate = new ConcurrencyGate({ runningMax: 1, waitingMax: 1 })
  const { work, end, fail } = createWork()
  const [first, second] = [gate.run(work(0)), gate.run(work(1))]
  await expect(gate.run(work(2))).rejects.toMatchObject({ code: 'limit_reached' })

  fail()
  await expect(first).rejects.toThrow('x')
  end(1)

  expect(await second).toBe(1)
})
