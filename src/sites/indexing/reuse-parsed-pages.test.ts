import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMemoryTree } from '../../content/trees/memory-tree.ts'
import { readSite } from '../../content/read-site.ts'
import { ParsedPages } from './parsed-pages.ts'
import { createPageReuse } from './reuse-parsed-pages.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-parsed-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

type Files = Record<string, string>

/** Reads a site with the cache of earlier reads. @returns The site, and which pages were parsed. */
async function read(files: Files, code = 'code-1') {
  const tree = createMemoryTree(files)
  const known = new ParsedPages(join(folder, 'site'), code)
  const parsed: string[] = []
  const onStart = ({ file }: { file: string }) => void parsed.push(file)
  const reuse = createPageReuse({ tree, known, givenUp: [], onStart, onEnd: () => {} })
  const site = await readSite(tree, reuse)
  known.finish()
  return { site, parsed }
}

const start: Files = {
  'docs.json': '{"name":"A","navigation":{"pages":["one","two","three"]},"variables":{"product":"Ferry"}}',
  'one.mdx': '# One\n\nPlain text of {{product}}.\n',
  'two.mdx': "import Shared from '/snippets/shared.mdx'\n\n<Shared />\n",
  'three.mdx': "import Shared from '/snippets/shared.mdx'\n\nMore.\n\n<Shared />\n",
  'snippets/shared.mdx': "import Deep from './deep.mdx'\n\nShared text.\n\n<Deep />\n",
  'snippets/deep.mdx': 'Deep text.\n',
}

it.each<[string, Files, string[]]>([
  ['nothing has changed', {}, []],
  ['a page has changed', { 'one.mdx': '# One\n\nOther.\n' }, ['one.mdx']],
  ['a snippet has changed', { 'snippets/shared.mdx': 'Other.\n' }, ['two.mdx', 'three.mdx']],
  ['a snippet of a snippet has changed', { 'snippets/deep.mdx': 'Other.\n' }, ['two.mdx', 'three.mdx']],
  [
    'a variable has changed',
    { 'docs.json': start['docs.json']?.replace('Ferry', 'Tram') ?? '' },
    ['one.mdx', 'two.mdx', 'three.mdx'],
  ],
  ['the navigation has changed', { 'docs.json': start['docs.json']?.replace('"two",', '') ?? '' }, []],
])('parses only what must be parsed when %s', async (_, change, expected) => {
  await read(start)

  const { site, parsed } = await read({ ...start, ...change })

  expect(parsed).toEqual(expected)
  expect(site).toEqual(await readSite(createMemoryTree({ ...start, ...change })))
})

const formats: [format: string, files: Files][] = [
  ['mkdocs', { 'mkdocs.yml': 'site_name: A\n', 'docs/one.md': '[Two](two.md)\n', 'docs/two.md': 'Two.\n' }],
  [
    'vitepress',
    { '.vitepress/config.js': 'export default {}\n', 'one.md': '[Two](./two)\n', 'two.md': 'Two. [Here](#x)\n' },
  ],
  [
    'starlight',
    {
      'astro.config.mjs': "import s from '@astrojs/starlight'\nexport default { integrations: [s({ title: 'A' })] }\n",
      'src/content/docs/one.mdx': '[Two](/two/)\n',
      'src/content/docs/two.md': 'Two.\n',
    },
  ],
  [
    'docusaurus',
    {
      'docusaurus.config.js':
        "module.exports = { title: 'A', url: 'https://a.example', baseUrl: '/', presets: [['classic', {}]] }\n",
      'docs/one.md': '[Two](./two.md)\n',
      'docs/two.md': 'Two.\n',
    },
  ],
  [
    'fumadocs',
    {
      'source.config.ts': "export const docs = defineDocs({ dir: 'content/docs' })\n",
      'content/docs/one.mdx': '[Two](./two.mdx)\n',
      'content/docs/two.mdx': 'Two.\n',
    },
  ],
]

it.each(formats)('reuses pages of %s, and parses those again whose link targets changed', async (format, files) => {
  const [one = '', two = ''] = Object.keys(files).filter((file) => /(?:one|two)\.mdx?$/.test(file))
  const otherText = { ...files, [two]: `${files[two]}More.\n` }
  const { [two]: text = '', ...without } = files
  const moved = { ...without, [two.replace('two', 'deep/two')]: text }

  const first = await read(files)
  const second = await read(otherText)
  const third = await read(moved)

  expect(first.site.format).toBe(format)
  expect(first.parsed.sort()).toEqual([one, two])
  expect(second.parsed).toEqual([two])
  expect(third.parsed).toContain(two.replace('two', 'deep/two'))
  for (const [{ site }, revision] of [
    [second, otherText],
    [third, moved],
  ] as const) {
    expect(site).toEqual(await readSite(createMemoryTree(revision)))
  }
})

it.each(formats.filter(([format]) => format === 'docusaurus' || format === 'starlight'))(
  'parses a page of %s again whose link leads elsewhere, because another page says where it is',
  async (_, files) => {
    const [one = '', two = ''] = Object.keys(files).filter((file) => /(?:one|two)\.mdx?$/.test(file))
    const byFile = { ...files, [one]: `[Two](./${two.replace(/^.*\//, '')})\n` }
    const moved = { ...byFile, [two]: `---\nslug: elsewhere\n---\n${files[two]}` }
    const first = await read(byFile)

    const second = await read(moved)

    const markdownOf = ({ site }: typeof first) => site.pages.find(({ file }) => file === one)?.markdown
    expect(markdownOf(first)).not.toContain('elsewhere')
    expect(markdownOf(second)).toContain('elsewhere')
    expect(second.parsed).toContain(one)
    expect(second.site).toEqual(await readSite(createMemoryTree(moved)))
  },
)

it('does not read a page that is cached by its content id', async () => {
  const read: string[] = []
  const readWith = async (files: Files) => {
    const memory = createMemoryTree(files)
    const tree = {
      ...memory,
      idOf: (path: string) => `id of ${files[path]}`,
      read: (path: string) => {
        read.push(path)
        return memory.read(path)
      },
    }
    const known = new ParsedPages(join(folder, 'site'), 'code-1')
    const reuse = createPageReuse({ tree, known, givenUp: [], onStart: () => {}, onEnd: () => {} })
    const site = await readSite(tree, reuse)
    known.finish()
    return site
  }
  await readWith(start)
  read.length = 0
  const changed = { ...start, 'one.mdx': '---\ntitle: Uno\n---\nOther.\n' }

  const site = await readWith(changed)

  expect(read).toEqual(['docs.json', 'one.mdx'])
  expect(site).toEqual(await readSite(createMemoryTree(changed)))
})

it('repeats the frontmatter findings of a cached file', async () => {
  const broken = { ...start, 'one.mdx': '---\ntitle: [1\nhidden: perhaps\n---\nText.\n' }
  const first = await read(broken)

  const second = await read(broken)

  expect(first.site.findings.length).toBeGreaterThan(0)
  expect(second.site).toEqual(first.site)
})

it('notices a snippet that appears, and one that disappears', async () => {
  const { 'snippets/deep.mdx': _, ...without } = start
  const first = await read(without)

  const second = await read(start)
  const third = await read(without)

  expect(first.site.findings).toMatchObject([{ rule: 'snippet-missing' }])
  expect(second.site.findings).toEqual([])
  expect(third.site).toEqual(first.site)
  expect([second.parsed, third.parsed]).toEqual([
    ['two.mdx', 'three.mdx'],
    ['two.mdx', 'three.mdx'],
  ])
})

it('parses everything again after a change of the code or damage to the cache', async () => {
  await read(start)
  const other = await read(start, 'code-2')
  const bytes = await readFile(join(folder, 'site'))
  await writeFile(join(folder, 'site'), bytes.subarray(0, bytes.length - 5))
  const cut = await read(start, 'code-2')
  await appendFile(join(folder, 'site'), Buffer.from('rubbish'))
  const appended = await read(start, 'code-2')

  expect([other, cut, appended].map(({ parsed }) => parsed.length)).toEqual([3, 3, 0])
})

// A file that was growing when the power failed may end with zeros.
it.each([Buffer.from('rubbish'), Buffer.alloc(4_096)])('keeps what it parses after damage: %#', async (damage) => {
  await read(start)
  await appendFile(join(folder, 'site'), damage)
  const pages = start['docs.json']?.replace('"three"', '"three","four"') ?? ''
  const added = { ...start, 'docs.json': pages, 'four.mdx': 'Four.\n' }

  const [first, second] = [await read(added), await read(added)]

  expect([first.parsed, second.parsed]).toEqual([['four.mdx'], []])
})

it('remembers what was read from a text, by kind, as long as runs ask for it', async () => {
  const asked: string[] = []
  const run = (texts: readonly string[]) => {
    const known = new ParsedPages(join(folder, 'site'), 'code-1')
    const ask = (kind: string) => (text: string) =>
      known.remember(kind, [text], () => {
        asked.push(`${kind} of ${text}`)
        return { kind, text }
      })
    const results = texts.flatMap((text) => ['claims', 'words'].map((kind) => ask(kind)(text)))
    known.finish()
    return results
  }

  const first = run(['one', 'two', 'one'])
  const second = run(['two', 'three'])
  for (let repeat = 0; repeat < 2; repeat++) run(['three'])
  run(['one'])

  expect(first.at(-1)).toEqual({ kind: 'words', text: 'one' })
  expect(second.slice(0, 2)).toEqual([
    { kind: 'claims', text: 'two' },
    { kind: 'words', text: 'two' },
  ])
  const kinds = (text: string) => ['claims', 'words'].map((kind) => `${kind} of ${text}`)
  expect(asked).toEqual(['one', 'two', 'three', 'one'].flatMap(kinds))
})

it('gives the same site as a read without a cache, whatever changed in between', async () => {
  const text = fc.constantFrom(
    'Words.\n',
    "import A from '/snippets/a.mdx'\n\n<A />\n",
    "import B from '/snippets/b.mdx'\n\n<B /> {{v}}\n",
    "import A from '/snippets/a.mdx'\nimport B from '/snippets/b.mdx'\n\n<A /><B />\n",
    '<Broken\n',
  )
  const names = ['index.mdx', 'x.mdx', 'y.mdx', 'snippets/a.mdx', 'snippets/b.mdx']
  const files = fc.record(Object.fromEntries(names.map((name) => [name, text])), { requiredKeys: ['index.mdx'] })
  await fc.assert(
    fc.asyncProperty(fc.array(files, { minLength: 2, maxLength: 4 }), async (revisions) => {
      for (const revision of revisions) {
        const expected = await readSite(createMemoryTree(revision as Files))
        const { site } = await read(revision as Files)
        expect({ ...site, findings: sortFindings(site.findings) }).toEqual({
          ...expected,
          findings: sortFindings(expected.findings),
        })
      }
    }),
    { numRuns: 60 },
  )
})

function sortFindings(findings: readonly object[]): string[] {
  return findings.map((finding) => JSON.stringify(finding)).sort()
}
