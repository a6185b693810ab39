import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { markTerms } from './mark-terms.ts'

const marked = (text: string, terms: string[]) =>
  markTerms(text, terms)
    .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
    .join('')

it.each([
  ['Connected printers connect.', ['connect'], '[Connected] printers [connect].'],
  ['The code E-42 means no paper.', ['e42', '42', 'paper'], 'The code [E-42] means no [paper].'],
  ['Carries and carry', ['carri'], '[Carries] and [carry]'],
  ['An art of its own', ['an', 'of'], '[An] art [of] its own'],
  ['how-do-i-add-sites', ['add', 'site'], 'how-do-i-[add]-[sites]'],
  ['Its address', ['add'], 'Its address'],
  ['', ['x'], ''],
])('marks in %j the words of %o', (text, terms, expected) => {
  expect(marked(text, terms)).toBe(expected)
})

it('leaves out and adds nothing, whatever the text and the terms hold', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string({ minLength: 1 })), (text, terms) => {
      expect(
        markTerms(text, terms)
          .map(({ text }) => text)
          .join(''),
      ).toBe(text)
    }),
  )
})
