import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMemoryTree } from '../content/memory-tree.ts'
import { readSite } from '../content/read-site.ts'
import { ParsedPages } from './parsed-pages.ts'
import { createPageReuse } from './reuse-parsed-pages.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-parsed-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

type Files = Record<string, string>

/** Reads a site with what earlier readings left. @returns What was read, and which pages were parsed for it. */
async function read(files: Files, code = 'code-1') {
  const tree = createMemoryTree(files)
  const known = new ParsedPages(join(folder, 'site'), code)
  const parsed: string[] = []
  const onStart = ({ file }: { file: string }) => void parsed.push(file)
  const reuse = createPageReuse({ tree, known, givenUp: [], onStart, onEnd: () => {} })
  const site = await readSite(tree, { aroundFlatten: reuse })
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

it('sees a snippet that was missing, and one that goes', async () => {
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

it('parses everything again with other code, and after damage to the file', async () => {
  await read(start)
  const other = await read(start, 'code-2')
  const bytes = await readFile(join(folder, 'site'))
  await writeFile(join(folder, 'site'), bytes.subarray(0, bytes.length - 5))
  const cut = await read(start, 'code-2')
  await appendFile(join(folder, 'site'), Buffer.from('rubbish'))
  const appended = await read(start, 'code-2')

  expect([other, cut, appended].map(({ parsed }) => parsed.length)).toEqual([3, 3, 0])
})

it('gives the same site as a reading from nothing, whatever changed in between', async () => {
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
