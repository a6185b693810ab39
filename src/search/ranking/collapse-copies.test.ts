import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { buildIndexFile } from '../index-file/build-index-file.ts'
import { IndexFile } from '../index-file/index-file.ts'
import { searchIndexFile } from '../search-index-file.ts'
import type { SearchQuery } from '../search-query.ts'
import { makeTestInput, makeTestPage, makeTestQuery } from '../../../test/support/search-test-site.ts'

const folder = mkdtempSync(join(tmpdir(), 'collapse-copies-test-'))
const file = join(folder, 'index.sqlite')
const prose =
  'Selects rows of a table. Columns are named in order, and nested tables are read through their foreign keys. By default at most a thousand rows are returned.'
const dialects = ['dart', 'kotlin', 'python', 'swift'].map((dialect) =>
  makeTestPage(
    `/reference/${dialect}/select`,
    'Select rows',
    `${prose}\n\n\`\`\`${dialect}\nclient.${dialect}Select()\n\`\`\``,
  ),
)
buildIndexFile(
  file,
  makeTestInput([
    makeTestPage('/guides/rows', 'Rows', 'Select rows of a table in the dashboard.'),
    ...dialects,
    makeTestPage('/reference/ruby/select', 'Select rows', `${prose} Lazily.`, { groups: ['staff'] }),
    makeTestPage('/reference/kotlin/insert', 'Insert rows', 'Inserts rows, then selects them.'),
    makeTestPage(
      '/guides/a',
      'Overview',
      'How rows are billed: each plan has its price, and what is left over expires.',
    ),
    makeTestPage(
      '/guides/b',
      'Overview',
      'Backups of rows run every night, are kept for a week and restored in place.',
    ),
  ]),
)
const index = new IndexFile(file)
afterAll(() => {
  index.close()
  rmSync(folder, { recursive: true, force: true })
})
const ask = (text: string, change: Partial<SearchQuery> = {}) => searchIndexFile(index, makeTestQuery(text, change))
const findDialects = (text: string, change: Partial<SearchQuery> = {}) =>
  new Set(ask(text, change).flatMap(({ path }) => (path.endsWith('/select') ? [path] : [])))

it('shows one of several pages that say the same, and names the others', () => {
  const passages = ask('select rows of a table')
  const chosen = passages.find(({ path }) => path === '/reference/dart/select')

  expect(findDialects('select rows of a table')).toEqual(new Set(['/reference/dart/select']))
  expect(chosen?.alternatives).toEqual(['kotlin', 'python', 'swift'].map((name) => `/reference/${name}/select`))
  expect(passages.find(({ path }) => path === '/guides/rows')).not.toHaveProperty('alternatives')
})

it.each<[string, string, Partial<SearchQuery>, string]>([
  ['that the query names', 'select rows of a table in python', {}, 'python'],
  [
    'in the part of the site that the reader is in',
    'select rows',
    { currentPath: '/reference/kotlin/insert' },
    'kotlin',
  ],
  ['that the filter selects', 'select rows', { filter: { pathPrefix: '/reference/swift' } }, 'swift'],
  ['that has what the query asks for', 'swiftSelect', {}, 'swift'],
])('chooses the copy %s', (_, text, change, dialect) => {
  expect(findDialects(text, change)).toEqual(new Set([`/reference/${dialect}/select`]))
})

it('names no copy that the reader may not see', () => {
  const named = (change: Partial<SearchQuery>) =>
    ask('select rows', change).flatMap(({ alternatives }) => alternatives ?? [])

  expect(named({})).not.toContain('/reference/ruby/select')
  expect(named({ readerGroups: ['staff'], isSignedIn: true })).toContain('/reference/ruby/select')
})

it('keeps pages that share only their title', () => {
  expect(ask('rows overview').map(({ path }) => path)).toEqual(expect.arrayContaining(['/guides/a', '/guides/b']))
})
