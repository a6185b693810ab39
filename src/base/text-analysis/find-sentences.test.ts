import fc from 'fast-check'
import { expect, it } from 'vitest'
import { listAsciiEnds } from './find-sentences.ts'

const signs = [
  ...Array.from('aabzAZ019..!!?,;:-()[]{}"\'*`/ \t\n\r\v\f\0'),
  '  ',
  '\r\n',
  'e.g. ',
  '. A',
  'U.S.',
  '3.5',
]

it('ends segments of ASCII where the Unicode segmenter does', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
  const text = fc.array(fc.constantFrom(...signs), { maxLength: 16 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (written) => {
      const ends = Array.from(segmenter.segment(written), ({ index, segment }) => index + segment.length)
      expect(listAsciiEnds(written)).toEqual(ends)
    }),
    { numRuns: 5_000 },
  )
})
