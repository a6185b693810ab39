import { escapeXml } from '../../base/escape-xml.ts'
import type { SuiteReport, TestResult } from './suite-report.ts'

/** The report as JUnit XML, as CI systems read it. Failures of the baseline count as skipped. */
export function writeJunit({ file, results, newFailures }: SuiteReport): string {
  const seconds = results.reduce((sum, each) => sum + each.seconds, 0).toFixed(3)
  const skipped = results.filter(({ failures, isKnown }) => isKnown && failures.length > 0).length
  const counts = `tests="${results.length}" failures="${newFailures.length}" errors="0" skipped="${skipped}" time="${seconds}"`
  const cases = results.map((result) => writeCase(file, result)).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="docent" ${counts}>
<testsuite name="${escape(file)}" ${counts}>
${cases}
</testsuite>
</testsuites>
`
}

function writeCase(file: string, { test, line, failures, answer, isKnown, seconds }: TestResult): string {
  const name = test.version === null ? test.question : `${test.question} (${test.version})`
  const start = `<testcase classname="docent.tests" name="${escape(name)}" file="${escape(file)}" line="${line}" time="${seconds.toFixed(3)}"`
  if (failures.length === 0) return `${start}/>`
  const message = escape(failures.map((failure) => failure.message).join(' '))
  if (isKnown) return `${start}><skipped message="Known failure: ${message}"/></testcase>`
  return `${start}><failure message="${message}">${escapeXml(answer.text)}</failure></testcase>`
}

/** In an attribute, a line break would become a space. */
function escape(text: string): string {
  return escapeXml(text).replaceAll('\n', '&#10;')
}
