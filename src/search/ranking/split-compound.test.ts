import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { buildIndexFile } from '../index-file/build-index-file.ts'
import { IndexFile } from '../index-file/index-file.ts'
import { searchIndexFile } from '../search-index-file.ts'
import { makeTestInput, makeTestPage, makeTestQuery } from '../../../test/support/search-test-site.ts'
import { makeScope } from './search-scope.ts'
import { splitCompound } from './split-compound.ts'

const folder = mkdtempSync(join(tmpdir(), 'split-compound-test-'))
const file = join(folder, 'index.sqlite')
buildIndexFile(
  file,
  makeTestInput([
    makeTestPage('/rows', 'Find a row by its ID', 'Rows are found by ID.'),
    makeTestPage('/paths', 'path.join()', 'Joins the parts of a path.'),
    makeTestPage('/bars', 'Bars', 'A bar stands upright.'),
    makeTestPage('/sides', 'Sides', 'The side of the page. The sidebar comes first.'),
    makeTestPage('/staff', 'Secret vault', 'A secret vault.', { groups: ['staff'] }),
  ]),
)
const index = new IndexFile(file)
const scope = makeScope(index, makeTestQuery(''), { version: null, language: null })
afterAll(() => {
  index.close()
  rmSync(folder, { recursive: true, force: true })
})

it.each([
  ['findbyid', '/rows'],
  ['pathjoin', '/paths'],
  ['how does PathJoin work', '/paths'],
])('finds what %s consists of', (text, path) => {
  expect(searchIndexFile(index, makeTestQuery(text))[0]?.path).toBe(path)
})

it('takes a word with one error for the word, not for a compound', () => {
  expect(searchIndexFile(index, makeTestQuery('sidbar'))[0]?.path).toBe('/sides')
})

it.each([
  ['words that stand on no page together', 'rowsupright'],
  ['letters that are no words', 'rowzzzid'],
  ['words that the reader may not see', 'secretvault'],
  ['very long words', 'row'.repeat(20)],
])('does not cut a word into %s', (_, word) => {
  expect(splitCompound(index, scope, word, null)).toBeNull()
})
