import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  createPostingsBuffer,
  decodePostings,
  encodeTokenRow,
  fieldCount,
  PostingsWriter,
  visitTokenRow,
} from './postings.ts'

const chunkCount = 70_000
const counts = fc.tuple(fc.nat(200), fc.nat(200), fc.nat(200), fc.nat(200)).filter((four) => four.some(Boolean))
const entries = fc.uniqueArray(fc.record({ chunk: fc.nat(chunkCount - 1), counts }), {
  selector: ({ chunk }) => chunk,
  maxLength: 40,
})

it('gives back every chunk and count that was written', () => {
  fc.assert(
    fc.property(entries, (unsorted) => {
      const written = unsorted.sort((one, other) => one.chunk - other.chunk)
      const writer = new PostingsWriter()
      for (const { chunk, counts } of written) writer.add(chunk, counts)
      const buffer = createPostingsBuffer(chunkCount)

      decodePostings(writer.finish(), new Uint8Array(chunkCount).fill(1), buffer)

      const read = written.map((_, entry) => ({
        chunk: buffer.chunks[entry],
        counts: Array.from(buffer.counts.subarray(entry * fieldCount, (entry + 1) * fieldCount)),
      }))
      expect({ length: buffer.length, read }).toEqual({ length: written.length, read: written })
    }),
    { numRuns: 50 },
  )
})

it('does not count chunks outside the mask', () => {
  const writer = new PostingsWriter()
  for (const chunk of [0, 3, 4]) writer.add(chunk, [0, 0, chunk + 1, 0])
  const buffer = createPostingsBuffer(5)

  decodePostings(writer.finish(), Uint8Array.of(1, 1, 1, 0, 2), buffer)

  expect([buffer.length, ...buffer.chunks.slice(0, 2)]).toEqual([2, 0, 4])
  expect([buffer.counts[2], buffer.counts[fieldCount + 2]]).toEqual([1, 5])
})

it('visits the wanted terms of a row at their positions', () => {
  const tokens = [7, 300, 7, 20_000].map((termId, index) => ({ termId, position: index >> 1 }))
  const slots = new Uint8Array(20_001)
  slots[7] = 1
  slots[20_000] = 2
  const visited: number[][] = []

  visitTokenRow(encodeTokenRow(tokens), slots, (slot, position) => visited.push([slot, position]))

  expect(visited).toEqual([
    [1, 0],
    [1, 1],
    [2, 1],
  ])
})
