import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { buildIndexFile } from '../index-file/build-index-file.ts'
import { explainSearch } from './explain-search.ts'
import { IndexFile } from '../index-file/index-file.ts'
import { searchIndexFile } from '../search-index-file.ts'
import { makeTestInput, makeTestPage, makeTestQuery } from '../../../test/support/search-test-site.ts'

const folder = mkdtempSync(join(tmpdir(), 'measure-topics-test-'))
const file = join(folder, 'index.sqlite')
const fillers = Array.from({ length: 40 }, (_, place) =>
  makeTestPage(`/notes/${place}`, `Note ${place}`, `A store keeps what it was given in place ${place}.`),
)
const usages = Array.from({ length: 6 }, (_, place) =>
  makeTestPage(`/guides/step-${place}`, `Step ${place}`, 'Call `store.find(x)` before you close the connection.'),
)
buildIndexFile(
  file,
  makeTestInput([
    ...fillers,
    ...usages,
    makeTestPage('/reference/find', 'find()', 'Returns the first row that matches, among all the rows of a table.'),
    makeTestPage('/reference/7/limits', 'What the service allows', 'Rows, tables and stores have limits.'),
    makeTestPage('/about', 'Growth and other stories', 'Limits, limits and limits.'),
  ]),
)
const index = new IndexFile(file)
afterAll(() => {
  index.close()
  rmSync(folder, { recursive: true, force: true })
})
const find = (text: string) => searchIndexFile(index, makeTestQuery(text)).map(({ path }) => path)

it.each(['store.find(', 'store.find', 'find', 'how do I use store.find()?'])(
  'finds the page that is named by %s before the pages that use it',
  (text) => {
    expect(find(text)[0]).toBe('/reference/find')
  },
)

it('prefers the page whose path ends in the query to pages that repeat its word', () => {
  expect(find('limits')[0]).toBe('/reference/7/limits')
})

it('says in an explanation what a page gains by being the topic', () => {
  const { hits } = explainSearch(index, makeTestQuery('find'))

  expect(hits.map(({ words }) => words.topic > 0)).toEqual([true, ...usages.map(() => false)])
})

it('finds the page that is named by the query although many pages of that name are hidden from the reader', () => {
  const hidden = Array.from({ length: 30 }, (_, place) =>
    makeTestPage(`/internal/${place}/find`, 'find()', `Internal note ${place}.`, { groups: ['staff'] }),
  )
  const callers = Array.from({ length: 120 }, (_, place) =>
    makeTestPage(`/calls/${place}`, `Call ${place}`, 'find find find find in `store.find(x)` to find'),
  )
  const crowded = join(folder, 'crowded.sqlite')
  const rows = 'Returns the first row of a table. '.repeat(30)
  buildIndexFile(crowded, makeTestInput([...hidden, ...callers, makeTestPage('/reference/find', 'find()', rows)]))
  const crowdedIndex = new IndexFile(crowded)

  const [first] = searchIndexFile(crowdedIndex, makeTestQuery('find'))

  crowdedIndex.close()
  expect(first?.path).toBe('/reference/find')
})
