import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasRun } from './has-run.ts'

it('finds a run where a pattern does', () => {
  const text = fc
    .array(fc.constantFrom(...Array.from('abcd-é \n\t\u{a0}\u{85}\u{2003}\u{3000}\u{feff}')), { maxLength: 40 })
    .map((characters) => characters.join(''))
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 6 }), (written, charsMin) => {
      expect(hasRun(written, charsMin)).toBe(new RegExp(`\\S{${charsMin}}`).test(written))
    }),
    { numRuns: 2_000 },
  )
})
