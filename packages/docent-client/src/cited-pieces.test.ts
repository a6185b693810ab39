import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkCitations, readCitationLink, splitByCitations } from './cited-pieces.ts'
import { makeCitation } from './testing/make-citation.ts'

const text = 'Keys expire. They rotate daily. Ask us.'
const cite = (number: string, start: number, end: number) => makeCitation({ number, start, end })

describe('splitByCitations', () => {
  it('gives each sentence its citations and keeps the rest', () => {
    const pieces = splitByCitations({ text, citations: [cite('1', 0, 12), cite('2', 13, 31), cite('3', 13, 31)] })

    expect(pieces.map(({ text, citations }) => [text, citations.map(({ number }) => number)])).toEqual([
      ['Keys expire.', ['1']],
      [' ', []],
      ['They rotate daily.', ['2', '3']],
      [' Ask us.', []],
    ])
  })

  it('loses and repeats nothing, wherever spans lie', () => {
    const spans = fc.array(fc.tuple(fc.nat(80), fc.nat(80)), { maxLength: 8 })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), spans, (text, spans) => {
        const citations = spans.map(([start, length], index) => cite(String(index), start, start + length))

        const pieces = splitByCitations({ text, citations })

        expect(pieces.map((piece) => piece.text).join('')).toBe(text)
        for (const piece of pieces) expect(piece.text).not.toBe('')
      }),
    )
  })
})

describe('linkCitations', () => {
  it('adds the numbers after each cited sentence', () => {
    const linked = linkCitations({ text, citations: [cite('1', 0, 12), cite('2', 13, 31), cite('3', 13, 31)] })

    expect(linked).toBe(
      'Keys expire. [1](#docent-citation-0) They rotate daily. [2](#docent-citation-1) [3](#docent-citation-2) Ask us.',
    )
  })

  it.each([
    ['a row', '| Tickets | 20 |', '| Tickets | 20 [1](#docent-citation-0) |'],
    ['a row without outer bars', 'Tickets | 20', 'Tickets | 20 [1](#docent-citation-0)'],
    ['a code block', '```sh\nnpm start\n```', '```sh\nnpm start\n```\n\n[1](#docent-citation-0)'],
    [
      'a code block of a list',
      '- Run:\n  ```\n  go\n  ```',
      '- Run:\n  ```\n  go\n  ```\n  \n  [1](#docent-citation-0)',
    ],
    ['the middle of a code block', '```\nnpm start', '```\nnpm start'],
    ['a list item', '- One.', '- One. [1](#docent-citation-0)'],
  ])('keeps the Markdown of %s whole', (_, text, linked) => {
    expect(linkCitations({ text, citations: [cite('1', 0, text.length)] })).toBe(linked)
  })

  it('waits for the end of a sentence that is still arriving', () => {
    expect(linkCitations({ text: 'Keys exp', citations: [cite('1', 0, 12)] })).toBe('Keys exp')
  })

  it('changes none of the text, wherever spans lie', () => {
    const spans = fc.array(fc.tuple(fc.nat(80), fc.nat(80)), { maxLength: 8 })
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '.', '\n', '```', '|'), maxLength: 60 }),
        spans,
        (text, spans) => {
          const citations = spans.map(([start, length], index) => cite(String(index), start, start + length))

          const linked = linkCitations({ text, citations })

          expect(linked.replace(/(?: |\n>?\n>?)\[\d+\]\(#docent-citation-\d+\)/g, '')).toBe(text)
        },
      ),
    )
  })

  it.each([
    ['#docent-citation-12', 12],
    ['#docent-citation-', null],
    ['#docent-citation-x', null],
    ['https://example.com/#docent-citation-1', null],
    [undefined, null],
  ])('reads %s as %s', (href, index) => {
    expect(readCitationLink(href)).toBe(index)
  })
})
