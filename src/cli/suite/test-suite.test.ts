import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Output } from '../output.ts'
import { testSuite } from './test-suite.ts'

let folder: string
const printed: unknown[] = []
const output: Output = {
  isJson: false,
  result: (value, forPeople) => void printed.push(value, forPeople()),
  write: () => {},
  progress: () => {},
}
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
beforeEach(() => {
  printed.length = 0
  folder = mkdtempSync(join(tmpdir(), 'suite-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('answers a suite from the files of a working tree, and fails until the failures are known', async () => {
  write('logs.md', '# Logs\n\nLogs are kept for 30 days. Change it with `--keep-logs`.\n')
  write('members.md', '# Members\n\nAn invitation is valid for seven days.\n')
  write(
    'docent.tests.yaml',
    `tests:
  - question: How long are logs kept?
    page: /logs
    facts: 30 days
  - question: How long is an invitation valid?
    facts: nine days
  - question: Can I pay by invoice?
    refusal: true
`,
  )
  const baseline = join(folder, 'baseline.json')

  expect(await testSuite(output, { folder })).toBe(false)
  expect(printed).toEqual([
    expect.objectContaining({ passed: 2, newFailures: 1 }),
    'failure  How long is an invitation valid?\n  docent.tests.yaml:5\n  It lacks “nine days”.\n\n2 of 3 tests passed.',
  ])
  expect(await testSuite(output, { folder, baseline, updateBaseline: true })).toBe(true)
  expect(JSON.parse(readFileSync(baseline, 'utf8'))).toEqual({
    failing: [{ question: 'How long is an invitation valid?', version: null }],
  })
  expect(await testSuite(output, { folder, baseline })).toBe(true)
})

it.each([
  [null, {}, /There is no docent\.tests\.yaml here/],
  ['tests: []\n', {}, /contains no tests/],
  ['tests:\n  - ask: Why?\n', {}, /docent\.tests\.yaml cannot be read/],
  ['tests:\n  - question: Why?\n', { baseline: '/nowhere/baseline.json' }, /cannot be read\. Write a new one/],
  ['tests:\n  - question: Why?\n', { updateBaseline: true }, /Name the file to write with --baseline/],
  ['tests:\n  - question: Why?\n', {}, /There are no pages here/],
])('refuses with what to do, before it asks anything: %j %j', async (text, options, message) => {
  if (text !== null) write('docent.tests.yaml', text)

  await expect(testSuite(output, { folder, ...options })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(message),
  })
})
