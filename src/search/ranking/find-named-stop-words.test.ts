import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { buildIndexFile } from '../index-file/build-index-file.ts'
import { IndexFile } from '../index-file/index-file.ts'
import { searchIndexFile } from '../search-index-file.ts'
import { makeTestInput, makeTestPage, makeTestQuery } from '../../../test/support/search-test-site.ts'

const folder = mkdtempSync(join(tmpdir(), 'find-named-stop-words-test-'))
const file = join(folder, 'index.sqlite')
const operators = ['or', 'not', 'nor', 'in'].map((name) =>
  makeTestPage(`/operators/${name}`, `$${name}`, `The operator ${name} of the query language and its operator syntax.`),
)
const fillers = Array.from({ length: 30 }, (_, place) =>
  makeTestPage(`/notes/${place}`, `Note ${place}`, `A note on the language, and on place ${place} in it.`),
)
buildIndexFile(
  file,
  makeTestInput([
    makeTestPage(
      '/language',
      'Operator basics',
      'All operators of the language, their operands and results, and how an operator is called.',
    ),
    ...fillers,
    ...operators,
    makeTestPage('/operators/and', 'Conjunction', 'An operator that joins expressions: both this one and that one.'),
    makeTestPage('/replies', 'Replies', 'Wait for a reply in the log, and for another in the console.'),
    makeTestPage('/for', 'The "for" statement', 'Repeats a block, replies to a log.'),
    makeTestPage('/off', 'Off', 'Hidden.', { groups: ['staff'] }),
  ]),
)
const index = new IndexFile(file)
afterAll(() => {
  index.close()
  rmSync(folder, { recursive: true, force: true })
})
const findFirst = (text: string) => searchIndexFile(index, makeTestQuery(text))[0]?.path

it.each([
  ['and operator', '/operators/and'],
  ['how does the and operator join two expressions?', '/operators/and'],
  ['and', '/operators/and'],
  ['in', '/operators/in'],
  ['which operator is `nor` in the language', '/operators/nor'],
  ['the for statement', '/for'],
])('takes the stop word in "%s" for the page that is named by it', (text, path) => {
  expect(findFirst(text)).toBe(path)
})

it('does not take a preposition for the page that is named by it', () => {
  expect(findFirst('wait for a reply to appear in the log')).toBe('/replies')
})
