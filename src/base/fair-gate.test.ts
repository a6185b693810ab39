import { expect, it } from 'vitest'
import { FairGate, type FairGateOptions } from './fair-gate.ts'

function setup(options: Partial<FairGateOptions>) {
  const gate = new FairGate({
    runningMax: 2,
    waitingMax: 10,
    waitMsMax: 60_000,
    refuse: () => new Error('full'),
    ...options,
  })
  const entered: string[] = []
  const ends = new Map<string, () => void>()
  /** Work named by its subject and a number, such as `a1`. */
  const start = (name: string, signal?: AbortSignal): Promise<void> =>
    gate.run(
      name.charAt(0),
      () => {
        entered.push(name)
        return new Promise((resolve) => ends.set(name, resolve))
      },
      signal,
    )
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const end = async (name: string) => {
    ends.get(name)?.()
    await turn()
  }
  return { gate, entered, start, end, turn }
}

it('runs a few at once and the others of a subject in their order', async () => {
  const { entered, start, end, turn } = setup({})
  const results = ['a1', 'a2', 'a3', 'a4'].map((name) => start(name))
  await turn()
  expect(entered).toEqual(['a1', 'a2'])

  for (const name of ['a2', 'a1', 'a3', 'a4']) await end(name)

  await Promise.all(results)
  expect(entered).toEqual(['a1', 'a2', 'a3', 'a4'])
})

it('gives a place that becomes free to the subject that has the fewest', async () => {
  const { entered, start, end, turn } = setup({})
  const flood = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => start(name))
  const others = ['b1', 'c1', 'b2'].map((name) => start(name))
  await turn()

  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4', 'a5']) await end(name)

  await Promise.all([...flood, ...others])
  expect(entered).toEqual(['a1', 'a2', 'b1', 'c1', 'b2', 'a3', 'a4', 'a5'])
})

it('keeps for others what one subject may not have', async () => {
  const { entered, start, end, turn } = setup({ runningMax: 3, runningPerSubjectMax: 2 })
  const results = ['a1', 'a2', 'a3', 'b1'].map((name) => start(name))
  await turn()
  expect(entered).toEqual(['a1', 'a2', 'b1'])

  for (const name of ['a1', 'a2', 'a3', 'b1']) await end(name)
  await Promise.all(results)
})

it('refuses at once when the line is full, and lets a shorter line displace the longest', async () => {
  const { start, end, turn, gate } = setup({ runningMax: 1, waitingMax: 3 })
  const first = start('a1')
  const [second, third, last] = ['a2', 'a3', 'a4'].map((name) => start(name))
  await expect(start('a5')).rejects.toThrow('full')

  const quiet = start('b1')
  await expect(last).rejects.toThrow('full')

  expect({ running: gate.running, waiting: gate.waiting }).toEqual({ running: 1, waiting: 3 })
  await turn()
  for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name)
  await Promise.all([first, second, third, quiet])
  expect({ running: gate.running, waiting: gate.waiting }).toEqual({ running: 0, waiting: 0 })
})

it('refuses who waits too long', async () => {
  const { start, end, turn } = setup({ runningMax: 1, waitMsMax: 1 })
  const first = start('a1')

  await expect(start('a2')).rejects.toThrow('full')

  await turn()
  await end('a1')
  await first
})

it('lets go of who is aborted while it waits, and goes on after a failure', async () => {
  const { gate, start, turn, end, entered } = setup({ runningMax: 1 })
  const failing = Promise.withResolvers<void>()
  const first = gate.run('a', () => failing.promise)
  const leaving = new AbortController()
  const second = start('a2', leaving.signal)
  const third = start('a3')
  leaving.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')

  failing.reject(new Error('broken'))
  await expect(first).rejects.toThrow('broken')
  await turn()

  expect(entered).toEqual(['a3'])
  await end('a3')
  await third
})
