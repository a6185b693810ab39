import { expect, it } from 'vitest'
import { fuseRanks } from './fuse-ranks.ts'

it('ranks hits of both lists before hits of one, and weights each ranking', () => {
  const fused = fuseRanks([
    { chunks: [1, 2, 3], weight: 1 },
    { chunks: [4, 3], weight: 0.8 },
  ])

  expect(fused.map(({ chunk }) => chunk)).toEqual([3, 1, 2, 4])
  expect(fused[0]?.value).toBeCloseTo(1 / 13 + 0.8 / 12, 10)
})

it('keeps the order of one ranking, and of the first among equals', () => {
  expect(fuseRanks([{ chunks: [7, 5, 6], weight: 1 }]).map(({ chunk }) => chunk)).toEqual([7, 5, 6])
  const equal = [9, 8].map((chunk) => ({ chunks: [chunk], weight: 1 }))
  expect(fuseRanks(equal).map(({ chunk }) => chunk)).toEqual([9, 8])
})
