import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { SitePage } from '../../content/site-page.ts'
import { buildIndexFile, type IndexInput } from './build-index-file.ts'
import { IndexFile } from './index-file.ts'
import { searchAndCount } from '../search-index-file.ts'
import { openPreviousIndex } from './previous-index.ts'
import {
  chunkTestPage,
  makeTestInput,
  makeTestPage,
  makeTestQuery,
  outsider,
} from '../../../test/support/search-test-site.ts'
import { hashPage } from './hash-page.ts'

const folder = mkdtempSync(join(tmpdir(), 'build-index-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const [earlier, incremental, full, merged] = ['earlier', 'incremental', 'full', 'merged'].map((name) =>
  join(folder, `${name}.sqlite`),
) as [string, string, string, string]

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

      buildIndexFile(incremental, { ...input, previous: earlier, patchedShareMax: 0 })
      buildIndexFile(full, input)

      expect(readFileSync(incremental).equals(readFileSync(full))).toBe(true)
    }),
    { numRuns: 60 },
  )
})

/** Pages that keep their places, and each time a field of some is that of other pages. */
const patches = fc.tuple(
  site,
  fc.array(fc.array(fc.tuple(changedField, page), { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
  fc.array(text, { minLength: 3, maxLength: 6 }),
)

it('finds the same with the same scores in a patched copy as in a whole index, over any sequence of changes', () => {
  let patched = 0
  fc.assert(
    fc.property(patches, ([first, steps, queries]) => {
      let pages = first
      buildIndexFile(earlier, makeTestInput(pages))
      for (const step of steps) {
        pages = pages.map((known, place) => takeField(known, step[place]))
        const input = makeTestInput(pages, { revision: String(patched) })
        const images = new Map(pages.map(({ path, title }) => [path, Buffer.from(title)]))

        buildIndexFile(incremental, { ...input, images, previous: earlier, patchedShareMax: Infinity })
        buildIndexFile(full, { ...input, images })

        expect(searchAll(incremental, queries)).toEqual(searchAll(full, queries))
        patched += Number((searchAll(incremental, []).patchedPages ?? 0) > 0)
        buildIndexFile(merged, { ...input, images, previous: incremental, patchedShareMax: 0 })
        expect(readFileSync(merged).equals(readFileSync(full))).toBe(true)
        renameSync(incremental, earlier)
      }
    }),
    { numRuns: 60 },
  )
  expect(patched).toBeGreaterThan(30)
})

function takeField(known: SitePage, [field, other]: [keyof SitePage, SitePage] = ['path', known]): SitePage {
  return { ...known, [field]: other[field] }
}

function searchAll(file: string, texts: readonly string[]) {
  const index = new IndexFile(file)
  const readers = [outsider, { readerGroups: ['staff'], isSignedIn: true }]
  const queries = texts.flatMap((text) =>
    readers.map((reader) => makeTestQuery(text, { ...reader, isForAnswer: true })),
  )
  const found = queries.map((query) => searchAndCount(index, query))
  const { patchedPages, header, pages } = index
  index.close()
  return texts.length === 0 ? { patchedPages } : { patchedPages: 0, header, pages, found }
}

it('writes a whole index where a page has many more chunks, is new or is gone, and where many have changed', () => {
  const [a, b] = [makeTestPage('/a', 'A', 'Some text.'), makeTestPage('/b', 'B', 'Some text.')]
  buildIndexFile(earlier, makeTestInput([a, b]))
  const changed = { ...b, markdown: 'Other words.' }

  for (const [pages, patchedShareMax, expected] of [
    [[a, changed], 0.5, 1],
    [[a, changed], 0.4, 0],
    [[a, { ...b, markdown: 'Some text.\n\nMore.' }], 1, 1],
    [[a, { ...b, markdown: 'Some text.\n\nMore.\n\nAnd more.' }], 1, 0],
    [[a, b, { ...b, path: '/c' }], 1, 0],
    [[a], 1, 0],
  ] as const) {
    buildIndexFile(incremental, { ...makeTestInput(pages), previous: earlier, patchedShareMax })

    expect(searchAll(incremental, []).patchedPages).toBe(expected)
  }
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
    buildIndexFile(incremental, { ...makeTestInput(pages), previous: earlier, patchedShareMax: 0 })
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
  const numbers = [...index.chunkPages.keys()].filter((chunk) => index.hasChunk(chunk))
  const read = numbers.map((chunk) => index.getChunk(chunk).text)
  index.close()
  expect(read).toEqual(chunks.map(({ text }) => text))
})
