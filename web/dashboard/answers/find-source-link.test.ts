import { expect, it } from 'vitest'
import { findSourceLink } from './find-source-link.ts'

const sources = [
  { url: 'https://example.com/docs/guides/printers#paper', title: 'Printers' },
  { url: 'https://example.com/docs', title: 'Start' },
]

it.each([
  ['/guides/printers', 'https://example.com/docs/guides/printers'],
  ['/guides/printers#ink', 'https://example.com/docs/guides/printers#ink'],
  ['/docs/guides/printers', 'https://example.com/docs/guides/printers'],
  ['/guides/elsewhere', null],
  ['//evil.example/guides/printers', '//evil.example/guides/printers'],
  ['https://example.com/docs', 'https://example.com/docs'],
])('takes %s to %s', (href, address) => {
  expect(findSourceLink(href, sources)).toBe(address)
})
