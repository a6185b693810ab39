import { expect, it } from 'vitest'
import { readTestSite } from '../../../test/support/read-test-site.ts'

it('lets links to named places lead to the heading that they stand before, else under', async () => {
  const { pages, findings } = await readTestSite({
    'a.md': [
      '# A',
      '<a name="start"></a>Begin here.',
      '<a name="setup"></a>\n\n<a id="install"></a>',
      '## Set it up',
      'Text with <span id="inside"></span> a place.',
      '## Use it <a name="use"></a>',
      '```html\n<a name="code"></a>\n```',
      '[1](#start) [2](#setup) [3](#install) [4](#inside) [5](#use) [6](#use-it)',
    ].join('\n\n'),
    'b.md': '# B\n\n[far](a.md#install) [code](a.md#code)',
  })
  const linksOf = (path: string) =>
    [...(pages.find((page) => page.path === path)?.markdown ?? '').matchAll(/\]\(([^)]*)\)/g)].map(([, url]) => url)

  expect(linksOf('/a')).toEqual(['/a', '/a#set-it-up', '/a#set-it-up', '/a#set-it-up', '/a#use-it', '/a#use-it'])
  expect(linksOf('/b')[0]).toBe('/a#set-it-up')
  expect(findings.filter(({ rule }) => rule === 'anchor-dead').map(({ file }) => file)).toEqual([])
})
