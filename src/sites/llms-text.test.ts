import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { IndexedPage } from '../search/search-query.ts'
import { buildLlmsText, type LlmsSite, llmsTextCharsMax, writeLlmsFullText } from './llms-text.ts'

type ListedPage = Omit<IndexedPage, 'markdown'>

const markdownUrl = 'https://docent.example.com/sites/docs'

const site: LlmsSite = {
  name: 'docs',
  url: 'https://docs.example.com',
  index: {
    header: {
      siteName: 'Kiosk',
      siteDescription: 'Software for\nticket machines.',
      revision: 'r1',
      defaultVersion: 'v2',
      defaultLanguage: 'en',
      analyzer: 'a',
      pageCount: 0,
      chunkCount: 0,
    },
    readPage: (path) =>
      Promise.resolve(
        path === '/gone' ? null : { ...pageOf(path), markdown: `Text of ${path}: [b](/b#c).\n`, description: 'About.' },
      ),
  },
}

function pageOf(path: string, settings: Partial<ListedPage> = {}): ListedPage {
  const place = { section: [], version: null, language: null, tag: null }
  const page = { path, title: `Title of ${path}`, description: '', ...place }
  return { ...page, isListed: true, ...settings }
}

const build = (pages: ListedPage[]) => buildLlmsText({ site, pages, markdownUrl })
const entries = (text: string) => text.split('\n').filter((line) => line.startsWith('- '))

describe('llms.txt', () => {
  it('has the name, the description and a link to the Markdown of each page', () => {
    const text = build([
      pageOf('/', { title: 'Start', description: 'Where to begin.' }),
      pageOf('/guides/install', { title: 'Install [beta]' }),
      pageOf('/a b/(c)', { title: 'Odd' }),
    ])

    expect(text).toBe(`# Kiosk

> Software for ticket machines.

## Docs

- [Start](${markdownUrl}/index.md): Where to begin.
- [Install \\[beta\\]](${markdownUrl}/guides/install.md)
- [Odd](${markdownUrl}/a%20b/%28c%29.md)
`)
  })

  it("has the owner's notes for programs, quoted, and the API descriptions of a site with its own address", () => {
    const header = {
      ...site.index.header,
      instructions: 'Ask first.\n\n## Docs\n- [no](entry)',
      apiFiles: ['api/open (1).json', 'b.yaml'],
    }
    const withBoth: LlmsSite = { ...site, index: { ...site.index, header } }

    const text = buildLlmsText({ site: withBoth, pages: [pageOf('/a')], markdownUrl })
    const served = buildLlmsText({ site: { ...withBoth, url: markdownUrl }, pages: [pageOf('/a')], markdownUrl })

    expect(text).toContain('\n\n> ## Agent Instructions\n> Ask first.\n>\n> ## Docs\n> - [no](entry)\n\n## Docs\n\n- [')
    expect(
      text.endsWith(
        '\n\n## OpenAPI Specs\n\n- [open (1).json](https://docs.example.com/api/open%20%281%29.json)\n- [b.yaml](https://docs.example.com/b.yaml)\n',
      ),
    ).toBe(true)
    expect(served).not.toContain('OpenAPI')
  })

  it('lists only pages of the default version and language that are in the navigation', () => {
    const text = build([
      pageOf('/old', { version: 'v1' }),
      pageOf('/new', { version: 'v2' }),
      pageOf('/fr', { language: 'fr' }),
      pageOf('/en', { language: 'en' }),
      pageOf('/both'),
      pageOf('/quiet', { isListed: false }),
    ])

    expect(entries(text).map((line) => /docs(\S+)\.md/.exec(line)?.[1])).toEqual(['/new', '/en', '/both'])
  })

  it('takes the first paragraph of a description, and no more than 300 characters of it', () => {
    const text = build([
      pageOf('/a', { description: 'First\nline.\n\nSecond paragraph.' }),
      pageOf('/b', { description: 'x'.repeat(400) }),
    ])

    expect(entries(text)[0]).toMatch(/: First line\.$/)
    expect(entries(text)[1]?.split(': ')[1]).toBe(`${'x'.repeat(299)}…`)
  })

  it('shortens descriptions before it leaves out a page', () => {
    const text = build(Array.from({ length: 700 }, (_, n) => pageOf(`/page-${n}`, { description: 'word '.repeat(80) })))

    expect(text.length).toBeLessThanOrEqual(llmsTextCharsMax)
    expect(entries(text)).toHaveLength(700)
    expect(text).toContain('word word')
    expect(text).not.toContain('left out')
  })

  it('leaves out the last pages and says how many', () => {
    const text = build(Array.from({ length: 5_000 }, (_, n) => pageOf(`/page-${n}`, { description: 'word' })))

    const count = entries(text).length
    expect(text.length).toBeLessThanOrEqual(llmsTextCharsMax)
    expect(text.length).toBeGreaterThan(llmsTextCharsMax * 0.99)
    expect(text).toContain(`${5_000 - count} further pages are left out`)
    expect(text.endsWith(`${markdownUrl}/llms-full.txt\n`)).toBe(true)
  })

  it('is never longer than its bound, and each page takes one line', () => {
    const page = fc.record({ title: fc.string({ maxLength: 600 }), description: fc.string({ maxLength: 2_000 }) })
    fc.assert(
      fc.property(fc.array(page, { maxLength: 30 }), fc.integer({ min: 1, max: 60 }), (pages, times) => {
        const all = Array.from({ length: times }, () => pages).flat()
        const text = build(all.map((settings, n) => pageOf(`/p${n}`, settings)))

        const left = Number(/(\d+) further pages are left out/.exec(text)?.[1] ?? 0)
        expect(text.length).toBeLessThanOrEqual(llmsTextCharsMax)
        expect(text.match(/^- \[.*\]\(https:\S+\.md\)/gm) ?? []).toHaveLength(all.length - left)
      }),
      { numRuns: 50 },
    )
  })
})

it('llms-full.txt contains title, address, description and text with absolute links, and skips a missing page', async () => {
  const input = { site, pages: [pageOf('/a'), pageOf('/gone'), pageOf('/b')], markdownUrl }
  const reader = { readerGroups: [], isSignedIn: false }

  const parts: string[] = []
  for await (const part of writeLlmsFullText(input, reader, new AbortController().signal)) parts.push(part)

  expect(parts).toHaveLength(2)
  expect(parts[0]).toBe(
    '# Title of /a\n\nSource: https://docs.example.com/a\n\nAbout.\n\nText of /a: [b](https://docs.example.com/b#c).\n\n\n',
  )
})
