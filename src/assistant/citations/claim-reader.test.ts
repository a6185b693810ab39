import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ClaimReader } from './claim-reader.ts'

/** The text with each claim as `{1,2}`. */
function read(pieces: readonly string[]): string {
  const reader = new ClaimReader()
  const tokens = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
  return tokens.map((token) => ('text' in token ? token.text : `{${token.claims.join()}}`)).join('')
}

it.each([
  ['It is five [1].', 'It is five{1}.'],
  ['It is five.[1, 2] Next', 'It is five.{1,2} Next'],
  ['It is five. [1][3]\n', 'It is five.{1}{3}\n'],
  ['五です【1】。次【2†source】', '五です{1}。次{2}'],
  ['No passages: [0] [100] [2024], [x] and [1a]', 'No passages: [0] [100] [2024], [x] and [1a]'],
  ['[1](/a) and [1]: /a', '[1](/a) and [1]: /a'],
  ['`list[1]` and ``a `[1]` b`` [2]', '`list[1]` and ``a `[1]` b``{2}'],
  ['```js [1]\nlist[1]\n```\nAfter [2]', '```js [1]\nlist[1]\n```\nAfter{2}'],
  ['- a [1]\n- b\n\n  ~~~\n  x [1]\n  ~~~\n', '- a{1}\n- b\n\n  ~~~\n  x [1]\n  ~~~\n'],
  ['\\[1] and a \\` b [1]', '\\[1] and a \\` b{1}'],
  ['Ends [', 'Ends ['],
])('takes claims out of prose, and of nothing else: %j', (text, expected) => {
  expect(read([text])).toBe(expected)
  // The gate passes a span of code as a whole.
  expect(read(text.includes('`') ? [text] : Array.from(text))).toBe(expected)
})

it('sends space at once, and takes that after a claim instead', () => {
  expect(new ClaimReader().push('It is five ')).toEqual([{ text: 'It is five ' }])
  expect(read(['It is five ', '[1] or', ' six'])).toBe('It is five {1}or six')
  expect(read(['It is five ', '[', '1]', ' or six'])).toBe('It is five {1}or six')
})

it('does not depend on how the text is cut', () => {
  const marks = [
    '[',
    '1',
    ']',
    '[1]',
    ' ',
    '【',
    '】',
    '†',
    '(',
    ':',
    'a',
    '\n',
    '\n```\n',
    '`[1]`',
    '\\`',
    ',',
    '[2, 3]',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...marks), { maxLength: 30 }), (pieces) => {
      const whole = pieces.join('')

      expect(read(pieces)).toBe(read([whole]))
    }),
  )
})
