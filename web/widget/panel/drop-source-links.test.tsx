import { expect, it } from 'vitest'
import { english } from '../words/english.ts'
import { makeSay } from '../words/make-say.ts'
import { dropSourceLinks } from './drop-source-links.ts'
import { MarkdownWriter } from './markdown-writer.ts'

it('takes out lone links to pages that are listed as sources, and no other', () => {
  const page = 'https://docs.example.com/guides/keys'
  const root = document.createElement('div')
  const decorate = (link: HTMLAnchorElement, address: string) => link.setAttribute('href', address)
  const blocks = [
    `[Keys](${page}#rotate)`,
    `See [Keys](${page})`,
    '[Other](https://docs.example.com/other)',
    `- [Keys](${page})`,
    `[Keys](${page})`,
  ]
  new MarkdownWriter(root, { say: makeSay('en', english), decorate }).write(blocks.join('\n\n'), true)

  dropSourceLinks(root, [`${page}#:~:text=rotate`])

  expect([...root.children].map(({ tagName, textContent }) => [tagName, textContent])).toEqual([
    ['P', 'See Keys'],
    ['P', 'Other'],
    ['UL', 'Keys'],
  ])
})
