import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildLlmsText, buildSectionText, listSectionFiles, llmsTextCharsMax, writeLlmsFullText } from './llms-text.ts'
import type { ListedPage } from '../../search/search-query.ts'
import type { PublishedSite } from './published-site.ts'

const filesUrl = 'https://docent.example.com/sites/docs'

const site: PublishedSite['site'] = {
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

const build = (pages: ListedPage[]) => buildLlmsText({ site, pages, filesUrl })
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

Every page is also Markdown: add .md to its address. All pages in one file: ${filesUrl}/llms-full.txt

## Docs

- [Start](${filesUrl}/index.md): Where to begin.
- [Install \\[beta\\]](${filesUrl}/guides/install.md)
- [Odd](${filesUrl}/a%20b/%28c%29.md)
`)
  })

  it("has the owner's notes for programs, quoted, and the API descriptions of a site with its own address", () => {
    const header = {
      ...site.index.header,
      instructions: 'Ask first.\n\n## Docs\n- [no](entry)',
      apiFiles: ['api/open (1).json', 'b.yaml'],
    }
    const withBoth: PublishedSite['site'] = { ...site, index: { ...site.index, header } }

    const text = buildLlmsText({ site: withBoth, pages: [pageOf('/a')], filesUrl })
    const served = buildLlmsText({ site: { ...withBoth, url: filesUrl }, pages: [pageOf('/a')], filesUrl })

    expect(text).toContain('\n\n> ## Agent Instructions\n> Ask first.\n>\n> ## Docs\n> - [no](entry)\n\nEvery page')
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

  it('shortens descriptions before it is divided', () => {
    const text = build(Array.from({ length: 400 }, (_, n) => pageOf(`/page-${n}`, { description: 'word '.repeat(80) })))

    expect(text.length).toBeLessThanOrEqual(llmsTextCharsMax)
    expect(entries(text)).toHaveLength(400)
    expect(text).toContain('word word')
  })

  it('has the sections of the navigation, and a summary where the site has none', () => {
    const index = { ...site.index, header: { ...site.index.header, siteDescription: '' } }
    const pages = [pageOf('/a', { section: ['Guides', 'First'] }), pageOf('/b', { section: ['API'] })]

    const text = buildLlmsText({ site: { ...site, index }, pages, filesUrl })

    expect(text).toContain('\n> Documentation of Kiosk: 2 pages.\n')
    expect(text.match(/^## .*|^- .*/gm)?.map((line) => line.slice(0, 18))).toEqual([
      '## Guides',
      '- [Title of /a](ht',
      '## API',
      '- [Title of /b](ht',
    ])
  })

  it('is a list of files by section where it would be too long, and these have every page once', () => {
    const pages = Array.from({ length: 1_500 }, (_, n) => pageOf(`/page-${n}`, { section: [`Part ${n % 5}`] }))
    const published = { site, pages, filesUrl }

    const files = listSectionFiles(published)
    const texts = files.map((name) => buildSectionText(published, name) ?? '')

    expect(build(pages).length).toBeLessThanOrEqual(llmsTextCharsMax)
    expect(build(pages)).toContain(`- [Part 0](${filesUrl}/llms/part-0.txt): 300 pages: Title of /page-0, `)
    expect(files).toEqual(['part-0', 'part-1', 'part-2', 'part-3', 'part-4'])
    expect(new Set(texts.flatMap(entries)).size).toBe(1_500)
    expect(buildSectionText(published, 'other')).toBeNull()
  })

  it('leaves out the last pages of a section that is too long, and says how many', () => {
    const pages = Array.from({ length: 5_000 }, (_, n) => pageOf(`/page-${n}`))

    const text = buildSectionText({ site, pages, filesUrl }, 'docs') ?? ''

    expect(text.length).toBeLessThanOrEqual(llmsTextCharsMax)
    expect(text).toContain(`${5_000 - entries(text).length} more are left out`)
  })

  it('is never longer than its bound, and each page takes one line', () => {
    const page = fc.record({ title: fc.string({ maxLength: 600 }), description: fc.string({ maxLength: 2_000 }) })
    fc.assert(
      fc.property(fc.array(page, { maxLength: 30 }), fc.integer({ min: 1, max: 60 }), (pages, times) => {
        const all = Array.from({ length: times }, () => pages).flat()
        const text = build(all.map((settings, n) => pageOf(`/p${n}`, settings)))

        expect(text.length).toBeLessThanOrEqual(llmsTextCharsMax)
        const isDivided = text.includes('/llms/docs.txt)')
        expect(text.match(/^- \[.*\]\(https:\S+\.(?:md|txt)\)/gm) ?? []).toHaveLength(isDivided ? 1 : all.length)
      }),
      { numRuns: 30 },
    )
  })
})

it('llms-full.txt contains title, address, description and text with absolute links, and skips a missing page', async () => {
  const input = { site, pages: [pageOf('/a'), pageOf('/gone'), pageOf('/b')], filesUrl }
  const reader = { readerGroups: [], isSignedIn: false }

  const parts: string[] = []
  for await (const part of writeLlmsFullText(input, reader, new AbortController().signal)) parts.push(part)

  expect(parts).toHaveLength(3)
  expect(parts[0]).toContain(`${filesUrl}/llms.txt`)
  expect(parts[1]).toBe(
    `# Title of /a\n\nSource: https://docs.example.com/a\n\nAbout.\n\nText of /a: [b](${filesUrl}/b.md#c).\n\n\n`,
  )
})
