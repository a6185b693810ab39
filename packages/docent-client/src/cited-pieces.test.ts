import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkCitations, readCitationLink, splitByCitations } from './cited-pieces.ts'
import { makeCitation } from './testing/make-citation.ts'

const text = 'Keys expire. [1] They rotate daily. [2][3] Ask us.'
const cite = (number: string, start: number, end: number) => makeCitation({ number, start, end })

describe('splitByCitations', () => {
  it('gives each sentence its citations and keeps the rest', () => {
    const pieces = splitByCitations({ text, citations: [cite('1', 0, 12), cite('2', 17, 35), cite('3', 17, 35)] })

    expect(pieces.map(({ text, citations }) => [text, citations.map(({ number }) => number)])).toEqual([
      ['Keys expire.', ['1']],
      [' [1] ', []],
      ['They rotate daily.', ['2', '3']],
      [' [2][3] Ask us.', []],
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
  it('turns the marker of each sentence into links', () => {
    const linked = linkCitations({ text, citations: [cite('1', 0, 12), cite('2', 17, 35), cite('3', 17, 35)] })

    expect(linked).toBe(
      'Keys expire. [1](#docent-citation-0) They rotate daily. [2](#docent-citation-1) [3](#docent-citation-2) Ask us.',
    )
  })

  it('finds a marker that the span of the sentence includes', () => {
    expect(linkCitations({ text, citations: [cite('1', 0, 16)] })).toBe(
      'Keys expire. [1](#docent-citation-0) They rotate daily. [2][3] Ask us.',
    )
  })

  it('adds a link where a sentence has no marker, but never within a code block', () => {
    const code = 'Run:\n\n```sh\nnpm start\n```\n'

    expect(linkCitations({ text: code, citations: [cite('1', 0, 4), cite('2', 6, 21)] })).toBe(
      'Run: [1](#docent-citation-0)\n\n```sh\nnpm start\n```\n',
    )
  })

  it('waits for the end of a sentence that is still arriving', () => {
    expect(linkCitations({ text: 'Keys exp', citations: [cite('1', 0, 12)] })).toBe('Keys exp')
  })

  it('changes nothing but markers, wherever spans lie', () => {
    const spans = fc.array(fc.tuple(fc.nat(80), fc.nat(80)), { maxLength: 8 })
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '.', '\n', '`'), maxLength: 60 }),
        spans,
        (text, spans) => {
          const citations = spans.map(([start, length], index) => cite(String(index), start, start + length))

          const linked = linkCitations({ text, citations })

          expect(linked.replace(/ \[\d+\]\(#docent-citation-\d+\)/g, '')).toBe(text)
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
