import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { normalizeWords } from '../src/content/provenance/normalize-words.ts'
import { normalizeQuote } from '../src/git/verify-receipt.mjs'

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

it('reads the same words in a quote as the search for its lines did', () => {
  const text = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 60 })

  fc.assert(
    fc.property(text, (parts) => {
      expect(normalizeQuote(parts.join(''))).toBe(normalizeWords(parts.join('')))
    }),
    { numRuns: 5_000 },
  )
})

it('reads the same words in every page of the documentation', () => {
  const docs = join(import.meta.dirname, '../docs')
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) => /\.mdx?$/.test(name))

  expect(pages.length).toBeGreaterThan(50)
  for (const page of pages) {
    const text = readFileSync(join(docs, page), 'utf8')
    expect(normalizeQuote(text)).toBe(normalizeWords(text))
  }
})
