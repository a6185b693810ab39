import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutMiddle, cutText } from './cut-text.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 400 })
const bound = fc.integer({ min: 1, max: 200 })

it('leaves a text alone that fits', () => {
  expect([cutText('1234', 4), cutMiddle('1234', 4)]).toEqual(['1234', '1234'])
})

it('keeps the first three quarters and the last quarter of what may stay', () => {
  const long = `${'a'.repeat(30_000)}${'z'.repeat(30_000)}`

  expect(cutMiddle(long, 16_000)).toBe(`${'a'.repeat(12_000)}\n\n[…]\n\n${'z'.repeat(4_000)}`)
})

it('tears no surrogate pair, wherever it cuts', () => {
  expect(cutText('ab😀', 3)).toBe('ab')
  expect(cutMiddle('😀'.repeat(10), 7)).toBe('😀😀\n\n[…]\n\n😀')
})

it('makes no text longer than its bound and the mark, ill-formed, or other than its beginning and end', () => {
  fc.assert(
    fc.property(text, bound, (whole, charsMax) => {
      const [head, tail = ''] = cutMiddle(whole, charsMax).split('\n\n[…]\n\n')

      expect(cutText(whole, charsMax).length).toBeLessThanOrEqual(charsMax)
      expect(`${head}${tail}`.length).toBeLessThanOrEqual(charsMax)
      expect([cutText(whole, charsMax), head, tail].every((part) => part?.isWellFormed())).toBe(true)
      expect(whole.startsWith(head ?? '') && whole.endsWith(tail)).toBe(true)
    }),
  )
})
