import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { buildIndexFile } from '../index-file/build-index-file.ts'
import { countTerms } from './count-terms.ts'
import { IndexFile } from '../index-file/index-file.ts'
import { makeTestInput, makeTestPage, makeTestQuery } from '../../../test/support/search-test-site.ts'

const folder = mkdtempSync(join(tmpdir(), 'count-terms-'))
const file = join(folder, 'index.sqlite')
const pages = [
  makeTestPage('/a', 'Alpha', 'Install the widget.\n\nRemove the widget.'),
  makeTestPage('/b', 'Beta', 'Install nothing.'),
  makeTestPage('/staff', 'Staff', 'Install the zeppelin.', { groups: ['staff'] }),
]
buildIndexFile(file, makeTestInput(pages))
const index = new IndexFile(file)
afterAll(() => {
  index.close()
  rmSync(folder, { recursive: true, force: true })
})

it('counts the passages containing each term, among those that the reader may see', () => {
  const { passages, counts } = countTerms(index, makeTestQuery('install the widget zeppelin'))

  expect(passages).toBe(3)
  expect(counts).toMatchObject({ instal: 2, widget: 2, zeppelin: 0 })
})

it('counts more for a reader who sees more', () => {
  const query = makeTestQuery('zeppelin', { readerGroups: ['staff'], isSignedIn: true })

  expect(countTerms(index, query)).toMatchObject({ passages: 4, counts: { zeppelin: 1 } })
})

it('names the word that a mistyped one was meant for', () => {
  const { counts, meant } = countTerms(index, makeTestQuery('wigdet'))

  expect(counts).toEqual({ wigdet: 0 })
  expect(meant).toEqual({ wigdet: ['widget'] })
})
