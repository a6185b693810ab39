import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { buildIndexFile } from '../index-file/build-index-file.ts'
import { explainSearch } from './explain-search.ts'
import { IndexFile } from '../index-file/index-file.ts'
import { searchIndexFile } from '../search-index-file.ts'
import type { ExplainedHit } from '../search-query.ts'
import { makeTestInput, makeTestPage, makeTestQuery } from '../../../test/support/search-test-site.ts'

const folder = mkdtempSync(join(tmpdir(), 'explain-search-'))
const file = join(folder, 'index.sqlite')
const pages = [
  makeTestPage('/install', 'Install the widget', 'Install the widget with care.\n\nThe printer comes later.', {
    section: ['Start'],
  }),
  makeTestPage('/remove', 'Remove', 'Remove the widget.\n\nInstall another widget.', { section: ['End'], boost: 2 }),
  makeTestPage('/old', 'Install the widget', 'Install the widget of old.', { version: 'v1' }),
  makeTestPage('/new', 'Widget', 'Install the widget anew.', { version: 'v2' }),
  makeTestPage('/staff', 'Staff', 'Install the secret widget.', { groups: ['staff'] }),
  makeTestPage('/tagged', 'Tagged', 'Install a tagged widget.', { tag: 'beta' }),
]
buildIndexFile(file, makeTestInput(pages, { defaultVersion: 'v2' }))
const index = new IndexFile(file)
afterAll(() => {
  index.close()
  rmSync(folder, { recursive: true, force: true })
})

const sumOf = ({ words }: ExplainedHit) =>
  words.terms.reduce((sum, { title, headings, body, path }) => sum + title + headings + body + path, 0) +
  words.otherTerms +
  words.page +
  words.neighbour +
  words.proximity +
  words.topic

describe('an explained search', () => {
  it('has the hits, the order and the scores of the search itself', () => {
    const query = makeTestQuery('install the widget', { currentPath: '/remove', limit: 4 })

    const hits = explainSearch(index, query).hits.map(({ passage }) => passage)

    expect(searchIndexFile(index, query)).toEqual(
      hits.map((passage) => ({ ...passage, content: expect.any(String) as string })),
    )
    expect(hits.length).toBe(4)
  })

  it('splits each value into parts that add up to it', () => {
    const { hits } = explainSearch(index, makeTestQuery('install the widget printer'))

    expect(hits.length).toBeGreaterThan(3)
    for (const hit of hits) expect(sumOf(hit)).toBeCloseTo(hit.words.value, 9)
    expect(hits[0]?.words).toMatchObject({ rank: 1, otherTerms: 0 })
    expect(hits.map(({ words }) => words.proximity > 0)).toContain(true)
    expect(hits.find(({ passage }) => passage.path === '/install')?.words.terms).toEqual(
      expect.arrayContaining([expect.objectContaining({ term: 'widget', title: expect.any(Number) as number })]),
    )
    expect(hits.find(({ passage }) => passage.path === '/remove')?.boost).toBeGreaterThan(1)
  })

  it('reports the rarity of terms, missing terms, and spelling corrections', () => {
    const { terms, unknownTerms } = explainSearch(index, makeTestQuery('wigdet printer zeppelin'))

    expect(terms.map(({ term, weight }) => [term, weight])).toEqual([
      ['widget', 0.7],
      ['printer', 1],
    ])
    expect(terms[1]?.rarity).toBeGreaterThan(terms[0]?.rarity ?? Infinity)
    expect(unknownTerms).toEqual(['zeppelin'])
  })

  it('says what the reader’s page and repetition change', () => {
    const { hits } = explainSearch(index, makeTestQuery('install widget', { currentPath: '/install' }))

    expect(hits.find(({ passage }) => passage.path === '/install')?.placeFactor).toBeCloseTo(1.15)
    expect(hits.find(({ passage }) => passage.path === '/new')?.placeFactor).toBe(1)
    const repeated = explainSearch(index, makeTestQuery('widget')).hits.filter(
      ({ passage }) => passage.path === '/remove',
    )
    expect(repeated.map(({ repetitionFactor }) => repetitionFactor)).toEqual([1, expect.closeTo(0.95)])
  })

  it('names the pages that reader and filter leave out, and why', () => {
    const removedFor = (change: Parameters<typeof makeTestQuery>[1]) =>
      Object.fromEntries(
        explainSearch(index, makeTestQuery('install widget', change)).removed.map(({ path, reasons }) => [
          path,
          reasons,
        ]),
      )

    expect(removedFor({})).toEqual({ '/old': ['version'], '/staff': ['reader'] })
    expect(removedFor({ readerGroups: ['staff'], isSignedIn: true })).toEqual({ '/old': ['version'] })
    expect(removedFor({ filter: { tag: 'beta', version: 'v1' } })).toEqual({
      '/install': ['tag'],
      '/remove': ['tag'],
      '/old': ['tag'],
      '/new': ['version', 'tag'],
      '/staff': ['reader', 'tag'],
    })
    expect(removedFor({ filter: { version: 'v9' } })).toMatchObject({ '/install': ['edition-missing'] })
  })
})
