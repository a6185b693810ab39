import fc from 'fast-check'
import { expect, it } from 'vitest'
import { blockEntries, countIn, createPostingsBuffer, decodePostings, packCounts, PostingsWriter } from './postings.ts'
import { ByteWriter } from './byte-writer.ts'
import { makeChunkSet } from './chunk-set.ts'
import { encodeTokenRow, findTokens, renumberTokenRow } from './token-row.ts'

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
      for (const { chunk, counts } of written) writer.add(chunk, packCounts(counts))
      const buffer = createPostingsBuffer(chunkCount)

      decodePostings(writer.finish(), makeChunkSet(new Uint8Array(chunkCount).fill(1)), buffer)

      const read = written.map((_, entry) => ({
        chunk: buffer.chunks[entry],
        counts: [0, 1, 2, 3].map((field) => countIn(buffer.counts[entry] ?? 0, field)),
      }))
      expect({ length: buffer.length, read }).toEqual({ length: written.length, read: written })
    }),
    { numRuns: 50 },
  )
})

it('does not count chunks outside the mask', () => {
  const writer = new PostingsWriter()
  for (const chunk of [0, 3, 4]) writer.add(chunk, packCounts([0, 0, chunk + 1, 0]))
  const buffer = createPostingsBuffer(5)

  decodePostings(writer.finish(), makeChunkSet(Uint8Array.of(1, 1, 1, 0, 1)), buffer)

  expect([buffer.length, ...buffer.chunks.slice(0, 2)]).toEqual([2, 0, 4])
  expect(Array.from(buffer.counts.subarray(0, 2), (counts) => countIn(counts, 2))).toEqual([1, 5])
})

it('finds in a part of many blocks exactly what a plain reading finds there', () => {
  const size = blockEntries * 20
  const part = fc.tuple(fc.nat(size - 1), fc.oneof(fc.nat(1), fc.nat(size)))
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: size, maxLength: size }), part, (isHeld, [first, length]) => {
      const last = first + length
      const writer = new PostingsWriter()
      isHeld.forEach(
        (isHeldHere, chunk) => isHeldHere && writer.add(chunk, packCounts([0, 0, (chunk % 200) + 1, chunk % 3])),
      )
      const buffer = createPostingsBuffer(size)
      const mask = Uint8Array.from({ length: size }, (_, chunk) => Number(chunk >= first && chunk <= last))

      decodePostings(writer.finish(), makeChunkSet(mask), buffer)

      const expected = [...isHeld.keys()].filter((chunk) => isHeld[chunk] && mask[chunk] === 1)
      expect(Array.from(buffer.chunks.subarray(0, buffer.length))).toEqual(expected)
      const counts = expected.map((_, entry) => [2, 3].map((field) => countIn(buffer.counts[entry] ?? 0, field)))
      expect(counts).toEqual(expected.map((chunk) => [(chunk % 200) + 1, chunk % 3]))
    }),
    { numRuns: 150 },
  )
})

it('renumbers the terms of a row and keeps their positions', () => {
  const row = encodeTokenRow([5, 0, 5].map((termId, position) => ({ termId, position })))
  const newIds = Int32Array.from({ length: 6 }, (_, id) => 1000 - id)

  const renumbered = renumberTokenRow(row, newIds, new ByteWriter())

  expect(renumbered).toEqual(encodeTokenRow([995, 1000, 995].map((termId, position) => ({ termId, position }))))
})

it('finds the wanted terms of a row at their positions', () => {
  const tokens = [7, 300, 7, 20_000].map((termId, index) => ({ termId, position: index >> 1 }))
  const slots = new Uint8Array(20_001)
  slots[7] = 1
  slots[20_000] = 2
  const found = { length: 0, slots: [], positions: [] }

  findTokens(encodeTokenRow(tokens), slots, found)

  expect(found).toEqual({ length: 3, slots: [1, 1, 2], positions: [0, 1, 1] })
})
