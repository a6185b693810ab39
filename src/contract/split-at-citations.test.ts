import { expect, it } from 'vitest'
import type { Citation } from './citations.ts'
import { splitAtCitations } from './split-at-citations.ts'

// Only what is read of a citation.
const cite = (number: string, start: number, end: number) =>
  ({ number, answer: { textId: 't', start, end } }) as unknown as Citation

const show = (text: string, citations: Citation[]) =>
  splitAtCitations(text, citations).map((piece) => [piece.text, piece.citations.map(({ number }) => number).join()])

it('puts numbers behind their sentences, in order, counting as JavaScript does', () => {
  const text = '🎟 Two. Three. Rest'

  expect(show(text, [cite('10', 8, 14), cite('2', 8, 14), cite('1', 0, 7)])).toEqual([
    ['🎟 Two.', '1'],
    [' Three.', '2,10'],
    [' Rest', ''],
  ])
})

it('leaves out citations of text that is not there, and keeps the text whole', () => {
  expect(show('Short.', [cite('1', 0, 6), cite('2', 7, 20), cite('3', 0, 0)])).toEqual([['Short.', '1']])
  expect(show('Nothing cited.', [])).toEqual([['Nothing cited.', '']])
  expect(show('', [])).toEqual([])
})
