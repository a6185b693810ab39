import { expect, it } from 'vitest'
import { type SuiteTest, suiteTestSchema } from '../../contract/suite.ts'
import { readSuite } from './read-suite.ts'
import { changeSuite } from './write-suite.ts'

const plain: SuiteTest = {
  question: 'New?',
  version: null,
  pages: [],
  facts: [],
  without: [],
  isRefusal: false,
  answer: null,
}

const file = `# Ours

tests:
    # The basics
    -   question: "How long?"   # asked often
        page:  [ /logs ]
        facts: ['30 days']

    -   question: Why?
        refusal: true   # not our business
# The end
`

it('adds a test behind the others, and changes nothing else', () => {
  const test = { ...plain, pages: ['/a', '/b'], facts: [['1.10'], ['x', 'y: z']], answer: 'Two\nlines' }

  const written = changeSuite(file, { kind: 'add', test })

  expect(written).toBe(
    file.replace(
      '# The end\n',
      `    - question: New?
      page:
        - /a
        - /b
      facts:
        - 1.10
        - - x
          - "y: z"
      answer: |-
        Two
        lines
# The end
`,
    ),
  )
})

it('changes one field of a test and keeps its comments', () => {
  const [first] = readSuite(file).tests
  const test = { ...plain, ...first, without: ['forever'] }

  const written = changeSuite(file, { kind: 'replace', of: test, test })

  expect(written.split('\n').slice(0, 5)).toEqual(
    file
      .split('\n')
      .slice(0, 5)
      .map((line) => line.replace('?"   #', '?" #')),
  )
  expect(written).toContain(
    '        without:\n          - forever\n\n    -   question: Why?\n        refusal: true   # not',
  )
})

it('removes a test with its lines', () => {
  const written = changeSuite(file, { kind: 'remove', of: { question: 'Why?', version: null } })

  expect(written).toBe(file.replace('    -   question: Why?\n        refusal: true   # not our business\n', ''))
})

it.each([
  [
    null,
    '# Questions that the documentation must answer. Check them with: docent test\n\ntests:\n  - question: New?\n',
  ],
  ['tests: []\n', 'tests:\n  - question: New?\n'],
  ['tests: [{question: A}]', 'tests: [ { question: A }, { question: New? } ]\n'],
  ['tests:\r\n- question: A\r\n', 'tests:\r\n- question: A\r\n- question: New?\r\n'],
  ['tests:\n- question: A', 'tests:\n- question: A\n- question: New?'],
])('adds a test to %j', (text, expected) => {
  expect(changeSuite(text, { kind: 'add', test: plain })).toBe(expected)
})

it.each([
  '- a',
  '# no comment',
  'true',
  ' 24 ',
  'a: b',
  '*x',
  '&x',
  '"q"',
  "it's",
  '!tag',
  'a\nb',
  '{}',
  '\u0000',
  '| x',
  '%',
  '@',
  '`',
  'x\u2028y',
])('writes any words so that they are read as the same: %j', (words) => {
  const test = suiteTestSchema.parse({ ...plain, question: `${words}?`, facts: [[words], ['x', words]], answer: words })

  expect(readSuite(changeSuite(file, { kind: 'add', test })).tests.at(-1)).toEqual(test)
})

it.each([
  ['tests:\n  - question: [A]\n', { kind: 'add', test: plain }, /Line 2 .* is invalid/],
  [file, { kind: 'add', test: { ...plain, question: 'Why?' } }, /Another test asks the same/],
  [file, { kind: 'remove', of: plain }, /no longer in the file/],
] as const)('refuses what would lose something', (text, change, message) => {
  expect(() => changeSuite(text, change)).toThrow(message)
})
