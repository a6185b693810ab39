import { expect, it } from 'vitest'
import type { CountedWindow } from '../store/counters.ts'
import { OutageCounts } from './outage-counts.ts'

const windowStart = 1_732_000_000_000
const takeOne = (counts: OutageCounts) => counts.take('search', 'org', { windowStart, max: 5 })
const createCounts = () => new OutageCounts({ now: () => windowStart })

it('goes on from where the database stood, up to the limit', () => {
  const counts = createCounts()
  counts.note('search', 'org', { windowStart, used: 3 })

  expect([takeOne(counts), takeOne(counts), takeOne(counts)]).toEqual([4, 5, null])
})

it('hands over what it has let through, once, and to one writer that all others wait for', async () => {
  const counts = createCounts()
  takeOne(counts)
  takeOne(counts)
  const written: (readonly CountedWindow[])[] = []
  const ended: string[] = []
  const { promise: hold, resolve: release } = Promise.withResolvers<void>()

  const first = counts.settle(async (taken) => {
    written.push(taken)
    await hold
    ended.push('written')
  })
  const second = counts.settle(async (taken) => void written.push(taken)).then(() => ended.push('went on'))
  release()
  await Promise.all([first, second])
  await counts.settle(async (taken) => void written.push(taken))

  expect(written).toEqual([[{ name: 'search', subject: 'org', windowStart, count: 2 }]])
  expect(ended).toEqual(['written', 'went on'])
})

it('keeps what could not be written, with what comes after it', async () => {
  const counts = createCounts()
  takeOne(counts)
  await expect(counts.settle(() => Promise.reject(new Error('Still away.')))).rejects.toThrow('Still away.')
  takeOne(counts)
  const written: CountedWindow[] = []

  await counts.settle(async (taken) => void written.push(...taken))

  expect(written).toEqual([{ name: 'search', subject: 'org', windowStart, count: 2 }])
})
