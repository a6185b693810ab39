import { expect, it } from 'vitest'
import type { SuiteTest } from '../../contract/suite.ts'
import { findSuiteFailures, type TestedAnswer } from './find-suite-failures.ts'

const test: SuiteTest = {
  question: 'How long?',
  version: null,
  pages: [],
  facts: [],
  without: [],
  isRefusal: false,
  answer: null,
}
const answer: TestedAnswer = {
  text: 'Logs are kept for **30** days,\nunless `--keep` is 7.5.',
  isAnswered: true,
  sources: [{ path: '/logs', version: 'v2' }],
}
const refusal: TestedAnswer = { text: 'The pages do not say.', isAnswered: false, sources: [] }

it.each([
  ['nothing in particular', {}, answer, []],
  ['nothing in particular', {}, refusal, ['answered']],
  ['a refusal', { isRefusal: true }, refusal, []],
  ['a refusal', { isRefusal: true }, answer, ['refused']],
  ['its page', { pages: ['/other', '/logs/'] }, answer, []],
  ['another page', { pages: ['/other'] }, answer, ['page']],
  ['its version', { version: 'v2' }, answer, []],
  ['another version', { version: 'v1' }, answer, ['version']],
  ['facts, whatever their case, marks and line ends', { facts: [['30 DAYS, unless'], ['x', '--keep']] }, answer, []],
  ['facts that it lacks', { facts: [['31 days'], ['x', '--drop']] }, answer, ['fact', 'fact']],
  ['a number that is part of another', { facts: [['3'], ['7'], ['5'], ['7.5']] }, answer, ['fact', 'fact', 'fact']],
  ['absent wording', { without: ['forever'] }, answer, []],
  ['wording that it must not contain', { without: ['kept for 30'] }, answer, ['without']],
  ['wording that no refusal may contain', { isRefusal: true, without: ['do not say'] }, refusal, ['without']],
])('tests an answer that should have %s', (_, expected, given, failures) => {
  expect(findSuiteFailures({ ...test, ...expected }, given).map(({ expectation }) => expectation)).toEqual(failures)
})

it('says what was expected and what came', () => {
  const messages = findSuiteFailures({ ...test, pages: ['/a', '/b'], facts: [['zig', 'zag']] }, answer).map(
    (each) => each.message,
  )

  expect(messages).toEqual(['It cited /logs; expected /a or /b.', 'It lacks “zig” or “zag”.'])
})
