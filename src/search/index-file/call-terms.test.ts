import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { buildIndexFile } from './build-index-file.ts'
import { listCallTerms } from './call-terms.ts'
import { IndexFile } from './index-file.ts'
import { searchIndexFile } from '../search-index-file.ts'
import { makeTestInput, makeTestPage, makeTestQuery } from '../../../test/support/search-test-site.ts'

const folder = mkdtempSync(join(tmpdir(), 'call-terms-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each([
  ['What does common() do?', ['common()']],
  ['Call `Layout.simple(x)` and $run(), or _init().', ['simple()', '$run()', '_init()']],
  ['Words (in brackets), [links](/a) and f (x) are no calls.', []],
  [`${'x'.repeat(100)}()`, []],
])('knows the calls of %s', (text, calls) => {
  expect(listCallTerms(text)).toEqual(calls)
})

it('finds where a name is called before the pages on which it is a word', () => {
  const file = join(folder, 'site.sqlite')
  const words = makeTestPage('/words', 'Common questions', 'Common mistakes, common words and common sense.')
  const code = makeTestPage('/code', 'Test case', 'The layout is set before `common();` runs.')
  buildIndexFile(file, makeTestInput([words, code]))
  const index = new IndexFile(file)
  const ask = (text: string) => searchIndexFile(index, makeTestQuery(text)).map(({ path }) => path)

  const [byCall, byWord] = [ask('What does common() do?'), ask('What is common?')]
  const unknown = searchIndexFile(index, makeTestQuery('common words()'))
  const asWords = searchIndexFile(index, makeTestQuery('common words'))
  index.close()

  expect(byCall).toEqual(['/code', '/words'])
  expect(byWord).toEqual(['/words', '/code'])
  expect(unknown.map(({ score }) => score)).toEqual(asWords.map(({ score }) => score))
})
