import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { buildIndexFile } from '../index-file/build-index-file.ts'
import { IndexFile } from '../index-file/index-file.ts'
import { makeTestInput, makeTestPage, makeTestQuery } from '../../../test/support/search-test-site.ts'
import { countTerms } from './count-terms.ts'

const folder = mkdtempSync(join(tmpdir(), 'find-closest-term-test-'))
const file = join(folder, 'site.sqlite')
const words =
  'middleware configuration dependency authentication generateText wrapLanguageModel next strip flash console operator excerpt widget empty'
buildIndexFile(file, makeTestInput([makeTestPage('/a', 'Alpha', `Words: ${words.replaceAll(' ', ', ')}.`)]))
const index = new IndexFile(file)
afterAll(() => {
  index.close()
  rmSync(folder, { recursive: true, force: true })
})

const correct = (text: string) => Object.values(countTerms(index, makeTestQuery(text)).meant).flat()

it.each([
  ['a letter is missing', 'midleware', 'middlewar'],
  ['letters are swapped', 'wigdet', 'widget'],
  ['the first letters are swapped', 'iwdget', 'widget'],
  ['a letter is doubled', 'depenndency', 'depend'],
  ['a letter is another vowel', 'authantication', 'authent'],
  ['the end is mistyped, which the stemmer takes off', 'configuraton', 'configur'],
  ['the end is another one in the stem', 'emtpy', 'empti'],
  ['its ending lacks a letter', 'stripng', 'strip'],
  ['a long word has two errors', 'authetnicaton', 'authent'],
  ['an identifier is mistyped', 'wrapLangaugeModel', 'wraplanguagemodel'],
])('finds the word that was meant where %s', (_, typed, meant) => {
  expect(correct(`how to use ${typed}`)).toContain(meant)
})

it.each(['nuxt', 'flask', 'operations', 'exceptional', 'Strips', 'GENERATETXT'])(
  'leaves %s as it is, which is another word or a name',
  (word) => {
    expect(correct(`how to use ${word} here`)).toEqual([])
  },
)

it('does not take a word that is a property of every object for a correction', () => {
  expect(correct('how to use constructor')).toEqual([])
})
