import { expect, it } from 'vitest'
import type { SuiteTest } from '../../contract/suite.ts'
import { summarizeReport, writeReport } from './suite-report.ts'
import { writeJunit } from './write-junit.ts'
import { writeMarkdown } from './write-markdown.ts'

const test: SuiteTest = {
  question: 'A?',
  version: null,
  pages: [],
  facts: [],
  without: [],
  isRefusal: false,
  answer: null,
}
const answer = { text: 'Because.', sources: [], verdict: 'supported', isAnswered: true } as const
const passed = { test, line: 2, answer, failures: [], seconds: 0.25 }
const failed = {
  ...passed,
  test: { ...test, question: '<b> & "c" @all [x](https://evil.example)' },
  line: 5,
  answer: { ...answer, text: 'No\u0000 <script>\n# Heading' },
  failures: [{ expectation: 'fact', message: 'It lacks “x”.' }] as const,
}
const key = JSON.stringify([failed.test.question, null])
const report = (baseline: ReadonlySet<string> | null, threshold: number | null) =>
  writeReport('docs/docent.tests.yaml', [passed, { ...failed, failures: [...failed.failures] }], {
    baseline,
    threshold,
  })

it.each([
  ['without a baseline or threshold', null, null, false],
  ['with a threshold that is met', null, 50, true],
  ['with a threshold that is missed', null, 51, false],
  ['with its failure in the baseline', new Set([key]), null, true],
  ['with its failure in the baseline and a missed threshold', new Set([key]), 60, false],
  ['with a new failure', new Set<string>(), 0, false],
])('passes or not: %s', (_, baseline, threshold, expected) => {
  expect(report(baseline, threshold).isPassed).toBe(expected)
})

it('says how many tests passed, which failures are new and which are gone', () => {
  expect(summarizeReport(report(null, null))).toBe('1 of 2 tests passed.')
  expect(summarizeReport(report(new Set([key, '["A?",null]']), null))).toBe(
    '1 of 2 tests passed. New failures: 0 of 1. 1 failure of the baseline no longer fails.',
  )
})

it('writes JUnit that any parser reads, whatever questions and answers contain', () => {
  expect(writeJunit(report(null, null))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="docent" tests="2" failures="1" errors="0" skipped="0" time="0.500">
<testsuite name="docs/docent.tests.yaml" tests="2" failures="1" errors="0" skipped="0" time="0.500">
<testcase classname="docent.tests" name="A?" file="docs/docent.tests.yaml" line="2" time="0.250"/>
<testcase classname="docent.tests" name="&lt;b&gt; &amp; &quot;c&quot; @all [x](https://evil.example)" file="docs/docent.tests.yaml" line="5" time="0.250"><failure message="It lacks “x”.">No\uFFFD &lt;script&gt;
# Heading</failure></testcase>
</testsuite>
</testsuites>
`)
  expect(writeJunit(report(new Set([key]), null))).toMatch(
    /failures="0" errors="0" skipped="1"[\s\S]*<skipped message=/,
  )
})

it('writes Markdown in which texts of others are only text', () => {
  const markdown = writeMarkdown(report(null, null))

  expect(markdown).toContain('1 of 2 tests passed.')
  expect(markdown).toContain('### &lt;b> &amp; "c" &#64;all \\[x\\](https&#58;//evil.example)\n')
  expect(markdown).toContain('- It lacks “x”.')
  expect(markdown).toMatch(/^> No.* &lt;script>\n> \\# Heading$/m)
})
