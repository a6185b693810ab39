import { describe, expect, it } from 'vitest'
import { readTestSite } from '../../../../test/support/read-test-site.ts'
import { splitLlmsFull } from './split-llms-text.ts'

describe('readSite of llms.txt', () => {
  it('splits llms-full.txt into pages, in the order and sections of llms.txt', async () => {
    const site = await readTestSite({
      'llms.txt':
        '# Kiosk\n\n> Prints\n\n## Guides\n\n- [B](https://k.dev/guides/b.md): About b\n\n## Other\n\n- [A](https://k.dev/a)\n',
      'llms-full.txt':
        '# A\nSource: https://k.dev/a\n\nText with [b](/guides/b).\n\n```\n# not a page\n```\n\n\n# B\nSource: https://k.dev/guides/b\n\n## Part\n\nMore.\n',
    })

    expect(site).toMatchObject({ format: 'llms-txt', name: 'Kiosk', description: 'Prints', findings: [] })
    expect(site.pages.map(({ path, title, section, description }) => [path, title, section, description])).toEqual([
      ['/guides/b', 'B', ['Guides'], 'About b'],
      ['/a', 'A', ['Other'], ''],
    ])
    expect(site.pages[1]?.markdown).toBe('Text with [b](/guides/b).\n\n```\n# not a page\n```')
    expect(site.pages[0]?.file).toBe('llms-full.txt')
  })

  it('reads the files that llms.txt links to, and reports those that are missing', async () => {
    const site = await readTestSite({
      'llms.txt': '# K\n\n## S\n\n- [Two](/docs/two.md)\n- [One](https://k.dev/docs/one)\n- [Gone](/gone.md)\n',
      'docs/one.md': '# One\n\nFirst.',
      'docs/two.md': '# Two\n\nSecond.',
    })

    expect(site.pages.map(({ path, markdown }) => [path, markdown])).toEqual([
      ['/docs/two', 'Second.'],
      ['/docs/one', 'First.'],
    ])
    expect(site.findings.map(({ rule }) => rule)).toEqual(['navigation-page-missing'])
  })

  it('reads a folder of Markdown with an llms.txt as Markdown', async () => {
    const site = await readTestSite({ 'llms.txt': '# K', 'index.md': '# Home', 'a.md': '# A' })

    expect(site.format).toBe('markdown')
  })
})

describe('splitLlmsFull', () => {
  it.each([
    ['addresses in headings', '# One (/docs/one)\n\nA\n\n# Two (/docs/two)\n\nB'],
    [
      'addresses below headings',
      '# One\nURL: https://k.dev/docs/one\nSource: https://raw.dev/one.mdx\n\nA\n\n# Two\nURL: /docs/two\n\nB',
    ],
    [
      'frontmatter',
      '---\nurl: /docs/one.md\ndescription: x\n---\n\n# One\n\nA\n\n---\n\n---\nurl: /docs/two.md\n---\n\n# Two\n\nB',
    ],
    [
      'tags',
      '<page>\n---\ntitle: One\nsource_url: https://k.dev/docs/one/\n---\n\nA\n</page>\n\n<page>\n---\ntitle: Two\nsource_url: https://k.dev/docs/two/\n---\n\nB\n</page>',
    ],
  ])('finds pages by %s', (_name, text) => {
    expect(splitLlmsFull(text).map(({ path, title, markdown }) => [path, title, markdown])).toEqual([
      ['/docs/one', 'One', 'A'],
      ['/docs/two', 'Two', 'B'],
    ])
  })

  it('falls back on headings', () => {
    expect(splitLlmsFull('# First page\n\nA\n\n# Second\n\nB').map(({ path }) => path)).toEqual([
      '/first-page',
      '/second',
    ])
  })
})
