import { describe, expect, it } from 'vitest'
import {
  findPageLinks,
  leadsTo,
  resolveDestination,
  rewriteDestination,
  rewriteLinks,
  routeOf,
  unlink,
} from './page-links.ts'

const page = `# Page

See [the **guide**](/guides/install#step "Title") and ![a picture](../images/a.png).
<Card href="/guides/install" /> and <a href='./other'>x</a>.

[ref]: /guides/install

\`\`\`md
[sample](/guides/install)
\`\`\`
`

describe('the links of a page', () => {
  it('are found in Markdown, attributes and definitions, and not in blocks of code', () => {
    expect(findPageLinks(page).map(({ destination, suffix }) => destination + suffix)).toEqual([
      '/guides/install#step',
      '../images/a.png',
      '/guides/install',
      './other',
      '/guides/install',
    ])
  })

  it('are rewritten in place, keeping anchors and everything else', () => {
    const rewritten = rewriteLinks(page, (link) =>
      leadsTo('index.mdx', link, 'guides/install.mdx')
        ? rewriteDestination('index.mdx', link.destination, 'guides/setup.mdx')
        : null,
    )

    expect(rewritten).toBe(
      page
        .replace('(/guides/install#step', '(/guides/setup#step')
        .replace('href="/guides/install"', 'href="/guides/setup"')
        .replace(': /guides/install', ': /guides/setup'),
    )
  })

  it('leave their text behind when their target is deleted', () => {
    const isGone = (link: Parameters<typeof leadsTo>[1]) => leadsTo('index.mdx', link, 'guides/install.mdx')

    expect(unlink('See [the **guide**](/guides/install#step) now.', isGone)).toBe('See the **guide** now.')
    expect(unlink('See [it](/guides/other).', isGone)).toBe('See [it](/guides/other).')
  })
})

it.each([
  ['guides/a.mdx', './b', 'guides/b'],
  ['guides/a.mdx', '../c.mdx', 'c.mdx'],
  ['guides/a.mdx', '/x/y/', 'x/y'],
  ['guides/a.mdx', '../../../etc/passwd', null],
  ['guides/a.mdx', 'https://example.com', null],
  ['guides/a.mdx', '//example.com', null],
  ['guides/a.mdx', 'mailto:a@example.com', null],
  ['index.mdx', '/', ''],
])('a link on %s to %s leads to %s', (from, destination, path) => {
  expect(resolveDestination(from, destination)).toBe(path)
})

it.each([
  ['index.mdx', '/a/b', 'c/d.mdx', '/c/d'],
  ['index.mdx', 'a/b.mdx', 'c/d.mdx', 'c/d.mdx'],
  ['guides/x.mdx', './b', 'guides/d.mdx', './d'],
  ['guides/x.mdx', '../a', 'c/d.mdx', '../c/d'],
  ['guides/x.mdx', '../images/a.png', 'images/a.png', '../images/a.png'],
])('on %s, %s that is to lead to %s becomes %s', (from, before, target, after) => {
  expect(rewriteDestination(from, before, target)).toBe(after)
})

it('gives a page the address of its file without the extension, and an index that of its folder', () => {
  expect(['guides/a.mdx', 'guides/index.mdx', 'index.md', 'README.md'].map(routeOf)).toEqual([
    'guides/a',
    'guides',
    '',
    '',
  ])
})
