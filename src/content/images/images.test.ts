import { describe, expect, it } from 'vitest'
import { readSite } from '../read-site.ts'
import { createMemoryTree } from '../trees/memory-tree.ts'
import { dropImageMarks, markImage, takeImages } from './image-marks.ts'
import { showImages } from './show-images.ts'

const files = {
  'docs.json': JSON.stringify({ name: 'Docs', navigation: { pages: ['guides/in'] } }),
  'guides/shot.png': 'bytes',
  'guides/my plan (1).svg': '<svg/>',
  'public/images/wide.webp': 'bytes',
  'snippets/near.gif': 'bytes',
  'snippets/part.mdx': 'A part: ![Near](./near.gif)',
}

async function readPage(body: string, more: Record<string, string> = {}) {
  const site = await readSite(createMemoryTree(new Map(Object.entries({ ...files, 'guides/in.mdx': body, ...more }))))
  const [page] = site.pages
  if (page === undefined) throw new Error('There is no page.')
  return page
}

const show = async (body: string) => showImages(await readPage(body), (file) => `/s/${encodeURI(file)}`)

describe('images of a page', () => {
  it.each([
    ['beside the page', '![A shot](shot.png) here', '![A shot](/s/guides/shot.png) here'],
    ['of a folder that the generator serves', '![W](/images/wide.webp)', '![W](/s/public/images/wide.webp)'],
    [
      'with a query and characters of addresses',
      '![P](<./my plan (1).svg?raw#x>)',
      '![P](/s/guides/my%20plan%20(1).svg)',
    ],
    ['by a definition', '![A shot][s]\n\n[s]: ./shot.png', '![A shot](/s/guides/shot.png)'],
    ['as a tag', '<img src="/images/wide.webp" alt="W" />', '![W](/s/public/images/wide.webp)'],
    [
      'as an imported file',
      'import shot from "./shot.png"\n\n<Image src={shot} alt="A" />',
      '![A](/s/guides/shot.png)',
    ],
    [
      'in a frame',
      '<Frame caption="Wide">\n  <img src="/images/wide.webp" alt="W" />\n</Frame>',
      '![W](/s/public/images/wide.webp)',
    ],
    ['in a link', '[![A](shot.png)](/guides/in) b', '[![A](/s/guides/shot.png)](/guides/in) b'],
    ['in a table', '| a | b |\n| - | - |\n| ![A](shot.png) | c |', '| ![A](/s/guides/shot.png) | c |'],
    ['of a snippet, beside it', 'import P from "/snippets/part.mdx"\n\n<P />', 'A part: ![Near](/s/snippets/near.gif)'],
    ['without alternative text', 'One.\n\n![](shot.png)\n\nTwo.', 'One.\n\n![](/s/guides/shot.png)\n\nTwo.'],
    ['that end the page', 'One.\n\n![](shot.png)', 'One.\n\n![](/s/guides/shot.png)'],
    ['within a line', 'One ![](shot.png) two.', 'One ![](/s/guides/shot.png) two.'],
    ['with brackets in their text', '![a \\[b\\] c](shot.png)', '![a \\[b\\] c](/s/guides/shot.png)'],
  ])('are shown %s', async (_case, body, shown) => {
    expect(await show(body)).toContain(shown)
  })

  it.each([
    ['of other sites', '![A](https://example.com/shot.png)', 'A'],
    ['written into the page', '![A](data:image/png;base64,AAAA)', 'A'],
    ['of no file', '![A](missing.png)', 'A'],
    ['outside the tree', '![A](../../../etc/shot.jpg)', 'A'],
    ['of other kinds', '![A](../docs.json)', 'A'],
  ])('are their text where they are %s', async (_case, body, text) => {
    const page = await readPage(body)

    expect(page.images ?? []).toEqual([])
    expect(page.markdown).toBe(text)
  })

  it('leave the text of the page as it is without them', async () => {
    const { markdown } = await readPage('One.\n\n![](shot.png)\n\nTwo ![A](shot.png).\n\n[![](shot.png)](/guides/in)')

    expect(markdown).toBe('One.\n\nTwo A.')
  })

  it('are no part of headings, and of two for light and dark screens there is one', async () => {
    expect(await show('## ![Logo](shot.png) Start')).toBe('## Logo Start')
    const pair =
      '<img className="dark:hidden" src="shot.png" alt="A" />\n\n<img className="hidden dark:block" src="/images/wide.webp" alt="A" />'
    expect(await show(pair)).toBe('![A](/s/guides/shot.png)')
  })
})

describe('marks', () => {
  it('of a hostile page are taken out like others', () => {
    for (const text of [
      '\u{f8d0}%zz\u{f8d1}a\u{f8d2}',
      '\u{f8d0}\u{f8d0}a\u{f8d1}',
      'a\u{f8d2}b',
      '\u{f8d0}a b\u{f8d1}c',
    ]) {
      expect(dropImageMarks(text)).not.toMatch(/[\u{f8d0}-\u{f8d2}]/u)
      expect(takeImages(text).markdown).not.toMatch(/[\u{f8d0}-\u{f8d2}]/u)
    }
  })

  it('are taken out in linear time', { timeout: 10_000 }, () => {
    for (const part of ['\u{f8d0}', '\u{f8d0}a\u{f8d1}', markImage('a.png', 'b'), '\u{f8d0}a'])
      expect(takeImages(part.repeat(100_000)).markdown).toBeDefined()
  })
})
