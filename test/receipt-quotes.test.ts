import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { holdsQuote } from '../src/content/provenance/normalize-words.ts'
import { holdsQuote as verifyQuote } from '../src/git/verify-receipt.mjs'

// Lines of quotes are found by one program and checked by another, which people may have downloaded long ago.

const pieces = fc.constantFrom(
  '<!--',
  '-->',
  '{/*',
  '*/}',
  '<Note title="a">',
  '</Note>',
  '<br/>',
  '\\<b',
  ' < 3',
  '](/a(b)',
  '](',
  ')',
  '][ref]',
  '[',
  ']',
  '{#id .c}',
  '{: .c}',
  '&amp;',
  '&#x20;',
  '&shy;',
  '\u200C',
  '**Note:** ',
  '&x',
  '1. ',
  '- 2) ',
  '> 3. ',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '`a-b`',
  '**',
  'word',
  'ü',
  '漢字',
  '😀',
  '٣',
)

it('finds the same quotes in lines as the search for the lines did', () => {
  const text = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 60 })

  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (parts, start, length) => {
      const lines = parts.join('')
      const from = start % (parts.length + 1)
      const quote = parts.slice(from, from + (length % 8)).join('')

      expect(verifyQuote(lines, quote)).toBe(holdsQuote(lines, quote))
    }),
    { numRuns: 5_000 },
  )
})

it('finds every paragraph of the documentation in its page', () => {
  const docs = join(import.meta.dirname, '../docs')
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) => /\.mdx?$/.test(name))

  expect(pages.length).toBeGreaterThan(50)
  for (const page of pages) {
    const text = readFileSync(join(docs, page), 'utf8')
    const quotes = text.split('\n\n').filter((quote) => /[\p{L}\p{N}]/u.test(quote))
    expect(quotes.filter((quote) => !verifyQuote(text, quote) || !holdsQuote(text, quote))).toEqual([])
  }
})
