import { escapeLine } from '../../agent/change/escape-line.ts'
import { type SuiteReport, summarizeReport, type TestResult } from './suite-report.ts'

const failuresMax = 100
const lineCharsMax = 300
const answerCharsMax = 2_000
const control = /[^\P{Cc}\n]/gu

/** The report for the summary of a CI run or a comment. All text from answers and tests is escaped. */
export function writeMarkdown(report: SuiteReport): string {
  const failed = report.results.filter(({ failures }) => failures.length > 0)
  const head = `## ${report.isPassed ? '✅' : '❌'} Documentation tests\n\n${summarizeReport(report)}\n`
  const rest = failed.length > failuresMax ? `\n${failed.length - failuresMax} more failures are not listed.\n` : ''
  return `${head}${failed.slice(0, failuresMax).map(describeFailed).join('')}${rest}`
}

function describeFailed({ test, line, failures, answer, isKnown }: TestResult): string {
  const version = test.version === null ? '' : ` (${escapeLine(test.version, lineCharsMax)})`
  const title = `${escapeLine(test.question, lineCharsMax)}${version}`
  const list = failures.map(({ message }) => `- ${escapeLine(message, lineCharsMax)}`).join('\n')
  const quoted = answer.text
    .slice(0, answerCharsMax)
    .replace(control, ' ')
    .split('\n')
    .map((each) => `> ${escapeLine(each, lineCharsMax)}`)
  return `
### ${title}

Line ${line}${isKnown ? ', known failure' : ''}

${list}

<details><summary>Answer</summary>

${quoted.join('\n')}

</details>
`
}
