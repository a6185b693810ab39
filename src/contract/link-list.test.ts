import { expect, it } from 'vitest'
import { withoutLinkList, writeLinkList } from './link-list.ts'

it('numbers the links, keeps titles and addresses from ending a link early, and says where each one is', () => {
  const links = [
    { url: 'https://x.example/a_(b)', title: 'A [b](https://evil.example)' },
    { url: 'https://x.example/c', title: 'C\n`d`' },
  ]

  const { text, spans } = writeLinkList(links, 3)

  expect(text).toBe(
    '\n\nSources:\n\n1. [A \\[b\\](https://evil.example)](https://x.example/a_%28b%29)\n2. [C \\`d\\`](https://x.example/c)',
  )
  expect(spans.map(({ start, end }) => `abc${text}`.slice(start, end)[0])).toEqual(['[', '['])
  expect(spans[1]?.end).toBe(3 + text.length)
})

it('writes nothing without links', () => {
  expect(writeLinkList([], 3)).toEqual({ text: '', spans: [] })
})

it('is removed from an earlier answer, and nothing else is', () => {
  const { text } = writeLinkList([{ url: 'https://x.example', title: 'X' }], 0)

  expect(withoutLinkList(`Yes.${text}`)).toBe('Yes.')
  expect(withoutLinkList('Sources:\n\nnone')).toBe('Sources:\n\nnone')
})
