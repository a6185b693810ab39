import { expect, it } from 'vitest'
import { dropSourceLinks } from './drop-source-links.ts'

it('takes out lone links to pages that are listed as sources, and no other', () => {
  const page = 'https://docs.example.com/guides/keys'
  const kept = [
    `<p>See <a href="${page}">Keys</a></p>`,
    '<p><a href="https://docs.example.com/other">Other</a></p>',
    `<ul><li><a href="${page}">Keys</a></li></ul>`,
  ]
  const root = document.createElement('div')
  root.innerHTML = [`<p><a href="${page}#rotate">Keys</a></p>`, ...kept, `<p><a href="${page}">Keys</a></p>`].join('')

  dropSourceLinks(root, [`${page}#:~:text=rotate`])

  expect(root.innerHTML).toBe(kept.join(''))
})
