import { expect, it } from 'vitest'
import type { CountedWindow } from '../../store/counts/counters.ts'
import { OutageCounts } from './outage-counts.ts'

const windowStart = 1_732_000_000_000
const search = { name: 'search', subject: 'org', windowStart, max: 5 }
const takeOne = (counts: OutageCounts) => counts.take([search])
const createCounts = () => new OutageCounts()

it('continues from the last count of the database, up to the limit', () => {
  const counts = createCounts()
  counts.note('search', 'org', { windowStart, used: 3 })

  expect([takeOne(counts), takeOne(counts), takeOne(counts)]).toEqual([
    { taken: true, counts: [4] },
    { taken: true, counts: [5] },
    { taken: false, refusedBy: 0, counts: [5] },
  ])
})

it('counts against no limit if one of them is exhausted', () => {
  const counts = createCounts()
  const narrow = { ...search, name: 'network-minute', max: 1 }

  const taken = [counts.take([search, narrow]), counts.take([search, narrow]), takeOne(counts)]

  expect(taken).toEqual([
    { taken: true, counts: [1, 1] },
    { taken: false, refusedBy: 1, counts: [1, 1] },
    { taken: true, counts: [2] },
  ])
})

it('never lowers a count within its window, and starts from zero in the next', () => {
  const counts = createCounts()
  counts.note('search', 'org', { windowStart, used: 5 })
  counts.note('search', 'org', { windowStart, used: 4 })

  expect(counts.find(search)).toBe(5)
  expect(counts.find({ ...search, windowStart: windowStart + 3_600_000 })).toBe(0)
})

it('refuses nothing from memory after a refund', () => {
  const counts = createCounts()
  counts.note('search', 'org', { windowStart, used: 5 })

  counts.forget([search])

  expect(counts.find(search)).toBe(0)
})

it('evicts the least recently used counts under a flood of networks, not the limits in use', () => {
  const counts = createCounts()
  counts.note('search', 'org', { windowStart, used: 3 })
  for (let index = 0; index < 60_000; index++) {
    counts.note('network-minute', String(index), { windowStart, used: 1 })
    if (index % 1_000 === 0) counts.note('search', 'org', { windowStart, used: 3 })
  }

  expect(counts.find(search)).toBe(3)
  expect(counts.find({ name: 'network-minute', subject: '0', windowStart })).toBe(0)
  expect(counts.find({ name: 'network-minute', subject: '59999', windowStart })).toBe(1)
})

it('hands over the allowed uses once, to a single writer that all callers wait for', async () => {
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

it('keeps counts that could not be written, and adds later ones', async () => {
  const counts = createCounts()
  takeOne(counts)
  await expect(counts.settle(() => Promise.reject(new Error('Still away.')))).rejects.toThrow('Still away.')
  takeOne(counts)
  const written: CountedWindow[] = []

  await counts.settle(async (taken) => void written.push(...taken))

  expect(written).toEqual([{ name: 'search', subject: 'org', windowStart, count: 2 }])
})
