import { expect, it } from 'vitest'
import { createMemoryTree } from '../trees/memory-tree.ts'
import { findSuiteFile, readSuiteOf } from './find-suite.ts'

it.each([
  [['docent.tests.yaml', 'website/docent.tests.yml', 'docs/docent.tests.yaml'], 'website', 'website/docent.tests.yml'],
  [['docent.tests.yaml', 'docs/docent.tests.yaml'], 'website', 'docent.tests.yaml'],
  [['docs/docent.tests.yaml', 'other/docent.tests.yaml'], '', 'docs/docent.tests.yaml'],
  [['other/docent.tests.yaml'], '', null],
  [['web/docusaurus.config.js', 'web/docent.tests.yaml', 'docent.tests.yaml'], '', 'web/docent.tests.yaml'],
])('finds among %j the suite of the site in “%s”', (paths, folder, expected) => {
  expect(findSuiteFile(paths, folder)).toBe(expected)
})

it('reads the tests of a site, and tells its owner what is wrong with them', async () => {
  const read = (text: string) => readSuiteOf(createMemoryTree({ 'docent.tests.yaml': text }))

  expect(await read('tests:\n  - question: Why?\n')).toMatchObject({ tests: [{ question: 'Why?' }], findings: [] })
  expect(await read('tests:\n  - ask: Why?\n')).toMatchObject({
    tests: [],
    findings: [{ file: 'docent.tests.yaml', line: 2, rule: 'suite-invalid' }, {}],
  })
  expect(await readSuiteOf(createMemoryTree({}))).toEqual({ file: null, tests: [], lines: [], findings: [] })
})
