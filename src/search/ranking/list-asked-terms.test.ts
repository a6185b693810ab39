import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeTestInput, makeTestPage, makeTestQuery } from '../../../test/support/search-test-site.ts'
import { buildIndexFile } from '../index-file/build-index-file.ts'
import { IndexFile } from '../index-file/index-file.ts'
import { searchIndexFile } from '../search-index-file.ts'
import { countTerms } from './count-terms.ts'

const folder = mkdtempSync(join(tmpdir(), 'list-asked-terms-'))
const english = openSite(
  'english',
  'This is how you encrypt a file before it is stored.',
  'This is what the sun does to all of us.',
)
const german = openSite(
  'german',
  'So kann man eine Datei schützen, und das ist alles.',
  'Das ist für uns und die file.',
)
afterAll(() => {
  for (const index of [english, german]) index.close()
  rmSync(folder, { recursive: true, force: true })
})

function openSite(name: string, ...texts: string[]): IndexFile {
  const file = join(folder, `${name}.sqlite`)
  buildIndexFile(file, makeTestInput(texts.map((text, page) => makeTestPage(`/${page}`, `Page ${page}`, text))))
  return new IndexFile(file)
}

const question = makeTestQuery('Wie verschlüssele ich eine Datei?')

it('finds English pages by the English terms of a question in another language', () => {
  expect(searchIndexFile(english, question)[0]?.path).toBe('/0')
  expect(countTerms(english, question).counts).toMatchObject({ encrypt: 1, file: 1 })
})

it('searches pages in the language of the question for its own words', () => {
  expect(searchIndexFile(german, question)[0]?.path).toBe('/0')
  expect(countTerms(german, question).counts).not.toHaveProperty('file')
})

it('does not search English pages for the function word that French shares with English', () => {
  expect(countTerms(english, makeTestQuery('Comment changer une roue de voiture ?')).counts).not.toHaveProperty(
    'comment',
  )
})
