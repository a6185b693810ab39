import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ByteCollector } from './byte-collector.ts'

it('returns the bytes that were pushed, however they were split', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 100_000, size: 'max' }), { maxLength: 4 }),
      fc.nat(500_000),
      (pieces, expected) => {
        const collector = new ByteCollector(expected)
        for (const piece of pieces) collector.push(piece)

        expect(Buffer.compare(collector.bytes, Buffer.concat(pieces))).toBe(0)
        expect(collector.length).toBe(collector.bytes.length)
        collector.release()
        expect(collector.bytes).toHaveLength(0)
      },
    ),
    { numRuns: 10 },
  )
})
