import { describe, expect, it } from 'vitest'
import { createMemoryTree } from './trees/memory-tree.ts'
import { readSite } from './read-site.ts'
import type { SiteContent } from './site-page.ts'
import type { ReadSiteOptions } from './site-reading.ts'

function read(files: Readonly<Record<string, unknown>>, options: ReadSiteOptions = {}): Promise<SiteContent> {
  const texts = Object.entries(files).map(([file, content]) => {
    return [file, typeof content === 'string' ? content : JSON.stringify(content, null, 2)] as const
  })
  return readSite(createMemoryTree(new Map(texts)), options)
}

/** A docs.json site whose pages `a`, `b`, … exist with their names as text. */
function readDocs(config: Readonly<Record<string, unknown>>, files: Readonly<Record<string, unknown>> = {}) {
  const pages = Object.fromEntries('abcdefgh'.split('').map((name) => [`${name}.mdx`, `Text of ${name}.`]))
  return read({ 'docs.json': { name: 'Docs', ...config }, ...pages, ...files })
}

const rulesOf = (site: SiteContent) => site.findings.map((finding) => finding.rule)
const pathsOf = (site: SiteContent) => site.pages.map((page) => page.path)

describe('readSite of a docs.json', () => {
  it('reads containers in any nesting, in reading order, with the sections of each page', async () => {
    const site = await readDocs({
      description: 'About',
      navigation: {
        global: {
          anchors: [
            { anchor: 'Blog', href: 'https://example.com' },
            { anchor: 'News', href: '/h' },
          ],
        },
        products: [
          {
            product: 'Core',
            tabs: [
              {
                tab: 'Guides',
                groups: [{ group: 'Start', root: 'a', pages: ['b', { group: 'Deeper', pages: ['c.mdx'] }] }],
              },
              {
                tab: 'More',
                menu: [
                  { item: 'Item', dropdowns: [{ dropdown: 'Drop', anchors: [{ anchor: 'Anchor', pages: ['/d'] }] }] },
                ],
              },
            ],
          },
        ],
        pages: ['e'],
      },
    })

    expect(site.pages.map((page) => [page.path, page.section, page.order])).toEqual([
      ['/h', ['News'], 0],
      ['/a', ['Core', 'Guides', 'Start'], 1],
      ['/b', ['Core', 'Guides', 'Start'], 2],
      ['/c', ['Core', 'Guides', 'Start', 'Deeper'], 3],
      ['/d', ['Core', 'More', 'Item', 'Drop', 'Anchor'], 4],
      ['/e', [], 5],
    ])
    expect(site).toMatchObject({ format: 'docs-json', name: 'Docs', description: 'About', findings: [] })
  })

  it('keeps a page once per version and language, and determines the defaults', async () => {
    const versions = (first: string) => [
      { version: 'v1', tag: 'Old', pages: [first, 'shared'] },
      { version: 'v2', default: true, pages: [first, 'shared', 'shared'] },
    ]
    const site = await readDocs(
      {
        navigation: {
          languages: [
            { language: 'en', versions: versions('a') },
            { language: 'de', versions: versions('b') },
          ],
        },
      },
      { 'shared.md': 'Shared.' },
    )

    expect(site.pages.map((page) => [page.language, page.version, page.path, page.tag])).toEqual([
      ['en', 'v1', '/a', null],
      ['en', 'v1', '/shared', null],
      ['en', 'v2', '/a', null],
      ['en', 'v2', '/shared', null],
      ['de', 'v1', '/b', null],
      ['de', 'v1', '/shared', null],
      ['de', 'v2', '/b', null],
      ['de', 'v2', '/shared', null],
    ])
    expect(site).toMatchObject({ defaultVersion: 'v2', defaultLanguage: 'en' })
  })

  it('inherits boost, tag, public and searchable until a nearer node sets them', async () => {
    const site = await readDocs(
      {
        navigation: {
          tabs: [
            {
              tab: 'T',
              boost: 2,
              public: true,
              groups: [
                { group: 'G', tag: 'NEW', pages: ['a', 'b'] },
                { group: 'H', boost: 0.5, searchable: false, public: false, pages: ['c'] },
              ],
            },
          ],
        },
      },
      { 'b.mdx': '---\nboost: 7\ntag: OWN\npublic: false\n---\nText' },
    )

    expect(
      site.pages.map(({ path, boost, tag, isPublic, isSearchable, isListed }) => [
        path,
        boost,
        tag,
        isPublic,
        isSearchable,
        isListed,
      ]),
    ).toEqual([
      ['/a', 2, 'NEW', true, true, true],
      ['/b', 7, 'OWN', false, true, true],
      ['/c', 0.5, null, false, false, true],
    ])
  })

  it('excludes hidden pages and groups, unless they are searchable', async () => {
    const site = await readDocs(
      {
        navigation: {
          groups: [
            { group: 'Hidden', hidden: true, pages: ['a', 'b'] },
            {
              group: 'Taken in',
              hidden: true,
              searchable: true,
              pages: ['c', 'd', { group: 'Hidden again', hidden: true, pages: ['e'] }],
            },
            { group: 'Shown', pages: ['f', 'g'] },
          ],
        },
      },
      {
        'b.mdx': '---\nhidden: false\n---\nBack in',
        'd.mdx': '---\nhidden: true\n---\nSecret',
        'f.mdx': '---\nnoindex: true\n---\nNot indexed',
      },
    )

    expect(site.pages.map(({ path, isSearchable, isListed }) => [path, isSearchable, isListed])).toEqual([
      ['/b', true, true],
      ['/c', true, true],
      ['/f', false, false],
      ['/g', true, true],
    ])
  })

  it('includes pages outside the navigation only with seo.indexing, and never snippets', async () => {
    const files = {
      'a.mdx': 'import Part from "/parts/part.mdx"\n\n<Part />',
      'parts/part.mdx': 'A part.',
      'snippets/x.mdx': 'A snippet.',
      'drafts/y.mdx': 'A draft.',
      'node_modules/z.md': 'A package.',
      'README.md': 'For developers.',
      '.mintignore': 'drafts/\n',
      'de/b.mdx': 'Deutsch',
    }
    const navigation = {
      languages: [
        { language: 'en', pages: ['a'] },
        { language: 'de', pages: [] },
      ],
    }

    const listed = await readDocs({ navigation }, files)
    const all = await readDocs({ navigation, seo: { indexing: 'all' } }, files)

    expect(pathsOf(listed)).toEqual(['/a'])
    expect(pathsOf(all)).toEqual(['/a', '/b', '/c', '/d', '/de/b', '/e', '/f', '/g', '/h'])
    expect(all.pages.find((page) => page.path === '/de/b')?.language).toBe('de')
  })

  it('reports navigation pages that are missing or ignored, with file and line', async () => {
    const site = await readDocs(
      { navigation: { pages: ['a', 'nowhere', 'drafts/y', '../../etc/passwd'] } },
      { 'drafts/y.mdx': 'y', '.mintignore': 'drafts' },
    )

    expect(pathsOf(site)).toEqual(['/a'])
    expect(site.findings.map(({ file, line, rule }) => [file, line, rule])).toEqual([
      ['docs.json', 6, 'navigation-page-missing'],
      ['docs.json', 7, 'navigation-page-missing'],
      ['docs.json', 8, 'navigation-page-missing'],
    ])
  })

  it('resolves references relative to their own file; adjacent keys win, lists replace', async () => {
    const site = await readDocs(
      { navigation: { tabs: [{ $ref: './config/tab.json', tab: 'Renamed' }] } },
      {
        'config/tab.json': { tab: 'Tab', boost: 3, groups: { $ref: 'deeper/groups.json' } },
        'config/deeper/groups.json': [{ group: 'G', pages: ['a'] }, { $ref: '../one.json#/parts/0' }],
        'config/one.json': { parts: [{ group: 'H', pages: ['b'] }] },
      },
    )

    expect(site.pages.map((page) => [page.path, page.section, page.boost])).toEqual([
      ['/a', ['Renamed', 'G'], 3],
      ['/b', ['Renamed', 'H'], 3],
    ])
    expect(site.findings).toEqual([])
  })

  it('reports references that are circular, outside the site, missing or broken JSON', async () => {
    const site = await readDocs(
      {
        navigation: {
          groups: [
            { group: 'G', pages: ['a'] },
            { $ref: 'loop.json' },
            { $ref: '../x.json' },
            { $ref: 'none.json' },
            { $ref: 'bad.json' },
          ],
        },
      },
      { 'loop.json': { group: 'L', pages: [{ $ref: './loop.json' }] }, 'bad.json': '{"a": 1,\n}' },
    )

    expect(pathsOf(site)).toEqual(['/a'])
    expect(
      site.findings
        .filter((finding) => finding.rule.startsWith('config-'))
        .map(({ file, line, rule }) => [file, line, rule]),
    ).toEqual([
      ['loop.json', null, 'config-reference-cycle'],
      ['docs.json', null, 'config-reference-missing'],
      ['docs.json', null, 'config-reference-missing'],
      ['bad.json', 2, 'config-unparsable'],
    ])
  })

  it('reports a wrong type of a known key and reads everything else', async () => {
    const site = await readDocs({
      name: 7,
      theme: { unknown: 'keys are fine' },
      navigation: { groups: [{ group: 'G', hidden: 'yes', boost: 'much', pages: ['a', 5, null] }, 'b'], tabs: 'none' },
    })

    expect(pathsOf(site)).toEqual(['/a', '/b'])
    expect(site.name).toBe('')
    expect(rulesOf(site).sort()).toEqual(['config-invalid', ...Array.from({ length: 4 }, () => 'navigation-invalid')])
  })

  it.each([
    ['broken JSON', '{'],
    ['a list', '[]'],
    ['no navigation', '{"name": "x"}'],
    ['keys of prototypes', '{"__proto__": {"navigation": {"pages": ["a"]}}, "constructor": {"prototype": {"x": 1}}}'],
    [
      'a navigation nested without end',
      `{"navigation": ${'{"groups":[{"group":"g","pages":['.repeat(3000)}${']}]}'.repeat(3000)}}`,
    ],
  ])('survives a docs.json with %s', async (_name, text) => {
    const site = await read({ 'docs.json': text, 'a.mdx': 'A' })

    expect(site.pages).toEqual([])
    expect(site.findings.length).toBeGreaterThan(0)
    expect(({} as Record<string, unknown>)['navigation']).toBeUndefined()
  })

  it('fills in variables in MDX and in titles, not in Markdown', async () => {
    const site = await readDocs(
      { variables: { name: 'Vault', version: 2 }, navigation: { pages: ['a', 'm'] } },
      { 'a.mdx': '---\ntitle: About {{name}}\n---\n{{name}} {{version}} `{{name}}`', 'm.md': '{{name}}' },
    )

    expect(site.pages.map((page) => [page.title, page.markdown])).toEqual([
      ['About Vault', 'Vault 2 `Vault`'],
      ['M', '{{name}}'],
    ])
  })

  it('makes pages private on sites with sign-in unless marked public, and pages with groups always', async () => {
    const files = {
      'docs.json': { navigation: { pages: ['a', 'b', 'c'] } },
      'a.mdx': 'A',
      'b.mdx': '---\npublic: true\n---\nB',
      'c.mdx': '---\npublic: true\ngroups: [admin]\n---\nC',
    }

    const open = await read(files)
    const closed = await read(files, { requiresSignIn: true })

    expect(open.pages.map((page) => page.isPublic)).toEqual([true, true, false])
    expect(closed.pages.map((page) => page.isPublic)).toEqual([false, true, false])
    expect(closed.pages[2]?.groups).toEqual(['admin'])
  })

  it('reports progress and stops when aborted', async () => {
    const seen: [number, number][] = []
    const files = { 'docs.json': { navigation: { pages: ['a', 'b'] } }, 'a.mdx': 'A', 'b.mdx': 'B' }

    await read(files, { onProgress: (done, total) => seen.push([done, total]) })

    expect(seen.at(-1)).toEqual([2, 2])
    await expect(read(files, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
  })

  it('reports pages that are too large, not UTF-8 or external, and continues', async () => {
    const tree = createMemoryTree({
      'docs.json': JSON.stringify({ navigation: { pages: ['large', 'bad', 'link', 'good'] } }),
      'large.md': 'x'.repeat(1024 * 1024 + 1),
      'bad.md': '',
      'link.mdx': '---\nurl: https://example.com\n---\n',
      'good.md': 'Good.',
    })

    const site = await readSite({
      ...tree,
      read: (file) => (file === 'bad.md' ? Promise.resolve(new Uint8Array([0xff, 0xfe])) : tree.read(file)),
    })

    expect(pathsOf(site)).toEqual(['/good'])
    expect(rulesOf(site)).toEqual(['file-too-large', 'file-not-utf-8'])
  })
})
