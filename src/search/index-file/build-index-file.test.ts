import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { SitePage } from '../../content/site-page.ts'
import { buildIndexFile, type IndexInput } from './build-index-file.ts'
import { IndexFile } from './index-file.ts'
import { openPreviousIndex } from './previous-index.ts'
import { chunkTestPage, makeTestInput, makeTestPage } from '../../../test/support/search-test-site.ts'
import { hashPage } from './hash-page.ts'

const folder = mkdtempSync(join(tmpdir(), 'build-index-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const [earlier, incremental, full] = ['earlier', 'incremental', 'full'].map((name) =>
  join(folder, `${name}.sqlite`),
) as [string, string, string]

const words = fc.constantFrom(
  'install',
  'max_tokens',
  'Redis集群',
  '--flag',
  'the',
  'v1.2.3',
  'naïve',
  'deploying',
  'E429',
  'run()',
)
const text = fc.array(words, { maxLength: 12 }).map((list) => list.join(' '))
const markdown = fc.array(text, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('\n\n'))
const page = fc
  .record({
    path: fc.constantFrom('/a', '/b', '/c/d', '/e', '/f'),
    title: text,
    markdown,
    description: text,
    keywords: fc.array(words, { maxLength: 2 }),
    version: fc.option(fc.constantFrom('1', '2')),
    language: fc.option(fc.constantFrom('en', 'de')),
    groups: fc.array(fc.constantFrom('staff'), { maxLength: 1 }),
    isPublic: fc.boolean(),
    isSearchable: fc.boolean(),
    boost: fc.constantFrom(1, 2),
    source: markdown.map((text) => ({ text, bodyLine: 0 })),
  })
  .map(({ path, title, markdown, ...rest }) => makeTestPage(path, title, markdown, rest))
const site = fc.uniqueArray(page, { selector: ({ path }) => path, minLength: 1, maxLength: 5 })

const changedField = fc.constantFrom(
  'title',
  'markdown',
  'description',
  'keywords',
  'version',
  'language',
  'groups',
  'isPublic',
  'isSearchable',
  'boost',
  'source',
)
/** The earlier site, new pages to put first, and per earlier page: goes, stays, or takes one field of a new page. */
const change = fc.tuple(
  site,
  site,
  fc.array(fc.oneof(fc.constantFrom('goes', 'stays'), changedField), { minLength: 5, maxLength: 5 }),
)

function changePages([before, after, changes]: typeof change extends fc.Arbitrary<infer Value> ? Value : never) {
  const kept = before
    .filter((_, place) => changes[place] !== 'goes')
    .map((page, place) => {
      const field = changes[place] ?? 'stays'
      const other = after[place % after.length]
      return field === 'goes' || field === 'stays' || !other ? page : { ...page, [field]: other[field] }
    })
    .toReversed()
  const paths = new Set(kept.map(({ path }) => path))
  return [...after.filter(({ path }) => !paths.has(path)), ...kept]
}

it('builds the same file from an earlier one as from scratch, byte for byte', () => {
  fc.assert(
    fc.property(change, (changed) => {
      buildIndexFile(earlier, makeTestInput(changed[0]))
      const input = makeTestInput(changePages(changed))

      buildIndexFile(incremental, { ...input, previous: earlier })
      buildIndexFile(full, input)

      expect(readFileSync(incremental).equals(readFileSync(full))).toBe(true)
    }),
    { numRuns: 60 },
  )
})

it('takes an unchanged page from the earlier file once, and no other', () => {
  const kept = makeTestPage('/kept', 'Kept', 'Stays as it was.')
  const input = makeTestInput([kept, makeTestPage('/changed', 'Changed', 'Before.')])
  buildIndexFile(earlier, input)

  const previous = openPreviousIndex(earlier)
  const taken = previous?.takePage(hashPage(kept, ''))
  const again = previous?.takePage(hashPage(kept, ''))
  const changed = previous?.takePage(hashPage({ ...kept, title: 'Keep' }, ''))
  previous?.close()

  expect(taken?.chunks.map(({ words }) => words.chunk)).toEqual([0])
  expect(previous?.terms.map(({ term }) => term)).toContain('stay')
  expect({ again, changed }).toEqual({ again: null, changed: null })
})

it('builds the same file for pages that are equal in two versions, and for pages that change places', () => {
  const versions = ['1', '2', '3'].map((version) => makeTestPage('/a', 'A', 'Some text.\n\nMore text.', { version }))
  const other = makeTestPage('/b', 'B', 'Some other text.')
  buildIndexFile(earlier, makeTestInput([...versions.slice(0, 2), other]))

  for (const pages of [versions, [other, ...versions], [other, ...versions.slice(1, 2)]]) {
    buildIndexFile(incremental, { ...makeTestInput(pages), previous: earlier })
    buildIndexFile(full, makeTestInput(pages))

    expect(readFileSync(incremental).equals(readFileSync(full))).toBe(true)
  }
})

it('does without an earlier file that is missing, damaged or no index', () => {
  const input: IndexInput = makeTestInput([makeTestPage('/a', 'A', 'Some text.')])
  buildIndexFile(full, input)
  const damaged = join(folder, 'damaged.sqlite')
  const bytes = readFileSync(full)
  writeFileSync(damaged, bytes.fill(7, bytes.length / 2))

  for (const previous of [join(folder, 'missing.sqlite'), damaged, import.meta.filename]) {
    buildIndexFile(incremental, { ...input, previous })

    expect(readFileSync(incremental).equals(readFileSync(full))).toBe(true)
  }
})

it('gives back every text, whether it stands word for word in its page or not', () => {
  const page = makeTestPage('/a', 'A', 'One.   Two.\n\nThree 集.')
  const input = makeTestInput([page, makeTestPage('/long', 'Long', `${'word '.repeat(30_000)}\n\nLast.`)])
  const chunkPage = (page: SitePage) =>
    chunkTestPage(page).map((chunk) => (chunk.text.startsWith('One') ? { ...chunk, text: 'One. Two.' } : chunk))

  buildIndexFile(full, { ...input, chunkPage })

  const index = new IndexFile(full)
  const chunks = input.pages.flatMap(chunkPage)
  const read = chunks.map((_, chunk) => index.getChunk(chunk).text)
  index.close()
  expect(read).toEqual(chunks.map(({ text }) => text))
})
