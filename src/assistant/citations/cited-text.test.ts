import { expect, it } from 'vitest'
import { CitedText, withoutMarkers } from './cited-text.ts'

/** Every sentence with a word in capitals is cited, by the claims or else as 1. */
function cite(pieces: readonly string[], { writesMarkers = true, readsClaims = true } = {}) {
  const spans: { start: number; end: number; claims: number[] }[] = []
  const cited = new CitedText({
    start: 0,
    readsClaims,
    writesMarkers,
    judge: ({ text, start, end }, claims) => {
      spans.push({ start, end, claims: [...claims] })
      return { events: [], numbers: /[A-Z]{2}/.test(text) ? ['1', '1', '2'] : [] }
    },
  })
  const text = [...pieces.map((piece) => cited.push(piece)), cited.end()].map((piece) => piece.text).join('')
  return { text, said: spans.map(({ start, end, claims }) => [text.slice(start, end), claims]) }
}

const answer =
  '# Title\n\nSet AA [3]. Then wait. Use BB [4]\n\n- item CC: one. [5] Item two\n\n```sh\nDD [1]\n```\n\n| a | b |\n| - | - |\n| EE | 1 |\n\nEnd FF'
const written =
  '# Title\n\nSet AA. [1][2] Then wait. Use BB [1][2]\n\n- item CC: one. [1][2] Item two\n\n```sh\nDD [1]\n```\n\n| a | b |\n| - | - |\n| EE | 1 |\n\nEnd FF [1][2]'

it.each([[[answer]], [answer.split(/(?= )/)], [Array.from(answer)], [answer.split(/(?=[ \n])/)]])(
  'writes markers after cited sentences, in neither code nor tables, however the text is cut',
  (pieces) => {
    const { text, said } = cite(pieces)

    expect(text).toBe(written)
    expect(said).toEqual([
      ['Set AA.', [3]],
      ['Then wait.', []],
      ['Use BB', [4]],
      ['item CC: one.', [5]],
      ['Item two', []],
      ['```sh\nDD [1]\n```', []],
      ['| a | b |', []],
      ['| EE | 1 |', []],
      ['End FF', []],
    ])
  },
)

it('leaves the text alone where nothing is claimed or marked', () => {
  expect(cite([answer], { writesMarkers: false, readsClaims: false }).text).toBe(answer)
})

it('removes markers from an earlier answer, but not from its code', () => {
  expect(withoutMarkers('Set AA. [1][2] Then `a [1]`.\n\n```\nb [1]\n```\nEnd [3]')).toBe(
    'Set AA. Then `a [1]`.\n\n```\nb [1]\n```\nEnd',
  )
})
