import { expect, it } from 'vitest'
import { readAcceptedType } from './accepted-type.ts'

it.each([
  [undefined, 'any'],
  ['*/*', 'any'],
  ['application/json', 'any'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'html'],
  ['text/markdown', 'markdown'],
  ['text/plain', 'markdown'],
  ['text/markdown, text/html, */*', 'markdown'],
  ['text/html, text/markdown', 'html'],
  ['text/html;q=0.5, text/markdown', 'markdown'],
  ['text/markdown;q=0.5, text/html;q=0.9', 'html'],
  ['text/markdown;q=0, */*', 'any'],
  ['TEXT/HTML', 'html'],
])('reads %s as %s', (accept, type) => {
  expect(readAcceptedType(accept)).toBe(type)
})
