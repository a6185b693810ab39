import { expect, it } from 'vitest'
import { readSuite } from './read-suite.ts'

const plain = { version: null, pages: [], facts: [], without: [], isRefusal: false, answer: null }

it('reads tests as they are written, numbers included', () => {
  const { tests, lines, faults } = readSuite(`# Checked on every push
tests:
  - question: How long are logs kept?
    version: 1.10
    page: /guides/logs
    facts:
      - 30 days
      - [log retention, retention of logs]
      - 024
    without: [forever]
  - question: What is the price?
    refusal: true
  - question: Which port?
    facts: 8080
    answer: |
      Port 8080.
      It can be changed.
`)

  expect(faults).toEqual([])
  expect(lines).toEqual([3, 11, 13])
  expect(tests).toEqual([
    {
      ...plain,
      question: 'How long are logs kept?',
      version: '1.10',
      pages: ['/guides/logs'],
      facts: [['30 days'], ['log retention', 'retention of logs'], ['024']],
      without: ['forever'],
    },
    { ...plain, question: 'What is the price?', isRefusal: true },
    { ...plain, question: 'Which port?', facts: [['8080']], answer: 'Port 8080.\nIt can be changed.' },
  ])
})

it.each([
  ['', 1, /tests: /],
  ['tests: none\n', 1, /tests: /],
  ['tests:\n  - question: A\n    pages: /a\n', 3, /tests\.0: unknown “pages”/],
  ['test: []\ntests: []\n', 1, /unknown “test”/],
  ['tests:\n  - question: A\n  - page: /a\n', 3, /tests\.1\.question/],
  ['tests:\n  - question: A\n    page: [/a, b]\n', 3, /tests\.0\.page\.1: must be the path/],
  ['tests:\n  - question: A\n    page: https://example.com/a\n', 3, /must be the path/],
  ['tests:\n  - question: A\n    facts:\n      - [x,\n        ""]\n', 5, /facts\.0\.1: is empty/],
  ['tests:\n  - question: A\n    refusal: yes\n', 3, /must be true or left out/],
  ['tests:\n  - question: A\n    refusal: true\n    page: /a\n', 2, /expects a refusal/],
  ['tests:\n  - question: A\n    answer: B\n', 2, /needs the facts/],
  ['tests:\n  - question: A\n    page: /a\n    page: /b\n', 4, /“page” is written twice/],
  ['tests:\n  - question: A\n  - question: B\n  - question: A\n', 4, /asked on line 2 already/],
  ['tests:\n  - &a\n    question: A\n  - *a\n', 4, /Aliases are not allowed/],
  ['tests:\n  - question: "A\n', 3, /not valid YAML/],
  ['tests: []\n---\ntests: []\n', 2, /not valid YAML/],
  ['tests:\n  - question: !!js/function A\n', 2, /not valid YAML/],
])('names the line of a fault: %j', (text, line, message) => {
  const { tests, faults } = readSuite(text)

  expect(tests).toEqual([])
  expect(faults[0]).toMatchObject({ line, message: expect.stringMatching(message) })
})

it('lists every fault, in bounded number', () => {
  const { faults } = readSuite(`tests:\n${'  - page: /a\n'.repeat(200)}`)

  expect(faults).toHaveLength(50)
})

it.each([
  ['['.repeat(60_000)],
  [Array.from({ length: 20_000 }, (_, index) => `k${index}:`).join('\n')],
  [`tests:\n${'  - question: A\n'.repeat(10_000)}`],
  [`a: &a [x]\n${Array.from({ length: 10_000 }, (_, index) => `b${index}: *a`).join('\n')}`],
])('refuses what is made to take long', (text) => {
  const start = process.cpuUsage()

  const { faults } = readSuite(text)

  const { user, system } = process.cpuUsage(start)
  expect(faults.length).toBeGreaterThan(0)
  expect((user + system) / 1_000).toBeLessThan(3_000)
})

it('refuses lists and maps as keys of each other, which take minutes to write out as text', () => {
  const { tests, faults } = readSuite(`${'? '.repeat(800)}a\n`)

  expect(tests).toEqual([])
  expect(faults).toMatchObject([{ line: 1, message: expect.stringContaining('nested too deeply') }])
})
