import { appendFile, writeFile } from 'node:fs/promises'
import { openFileSite } from '../../assistant/suite/open-file-site.ts'
import { mapConcurrently } from '../../base/map-concurrently.ts'
import { type FoundSuite, readSuiteOf, suiteFileName } from '../../content/suite/find-suite.ts'
import type { FileTree } from '../../content/trees/file-tree.ts'
import { openFolderTree } from '../../content/trees/folder-tree.ts'
import { AppError } from '../../contract/app-error.ts'
import { countOf } from '../../contract/count-of.ts'
import type { SuiteAnswer } from '../../assistant/suite/collect-answer.ts'
import type { SuiteTest } from '../../contract/suite.ts'
import { openAnswerAsker } from '../evaluation/eval-asker.ts'
import type { Output } from '../output.ts'
import { readBaseline, writeBaseline } from './suite-baseline.ts'
import { runTest, type SuiteReport, summarizeReport, type TestResult, writeReport } from './suite-report.ts'
import { writeJunit } from './write-junit.ts'
import { writeMarkdown } from './write-markdown.ts'

export interface TestSuiteOptions {
  /** Contains the documentation and its suite. */
  folder: string
  /** Slug of a site of the installation to ask, with its model; without it, the files are answered from. */
  site?: string
  /** Share of tests that must pass, in percent. */
  threshold?: number
  baseline?: string
  updateBaseline?: boolean
  /** Files to write. Markdown is appended. */
  junit?: string
  markdown?: string
}

interface Asker {
  ask(test: SuiteTest): Promise<SuiteAnswer>
  close(): Promise<void>
}

/** Enough to keep a model busy, few enough for its rate limits. */
const askedAtOnce = 4

/**
 * `docent test`: asks the questions of a suite and compares the answers with what it expects.
 *
 * @returns Whether the documentation passed.
 */
export async function testSuite(output: Output, options: TestSuiteOptions): Promise<boolean> {
  const tree = await openFolderTree(options.folder)
  const suite = await readValidSuite(tree)
  const isUpdate = options.updateBaseline === true
  if (isUpdate && options.baseline === undefined) {
    throw new AppError('invalid_request', 'Name the file to write with --baseline.')
  }
  const baseline = options.baseline === undefined || isUpdate ? null : await readBaseline(options.baseline)
  const asker = await openAsker(tree, options, output)
  try {
    output.progress(`Asking ${countOf(suite.tests.length, 'question')} of ${suite.file} …`)
    const ran = await mapConcurrently(suite.tests, askedAtOnce, (test) => runTest(suite, test, asker.ask))
    const report = writeReport(suite.file, ran, { baseline, threshold: options.threshold ?? null })
    if (isUpdate && options.baseline !== undefined) await writeBaseline(options.baseline, ran)
    await writeFiles(options, report)
    output.result(describeForPrograms(report), () => describeForPeople(report))
    return isUpdate || report.isPassed
  } finally {
    await asker.close()
  }
}

/** @throws {AppError} `invalid_request` with every mistake, if there is no valid suite with tests. */
async function readValidSuite(tree: FileTree): Promise<FoundSuite & { file: string }> {
  const { file, ...suite } = await readSuiteOf(tree)
  if (file === null) {
    throw new AppError(
      'invalid_request',
      `There is no ${suiteFileName} here. Create one in the folder of the documentation.`,
    )
  }
  if (suite.findings.length > 0) {
    const details = suite.findings.map(({ line, message }) => ({ path: `${file}:${line ?? 1}`, message }))
    throw new AppError('invalid_request', `The tests in ${file} cannot be read. Correct these lines:`, { details })
  }
  if (suite.tests.length === 0) throw new AppError('invalid_request', `${file} contains no tests. Add one.`)
  return { file, ...suite }
}

async function openAsker(tree: FileTree, { site }: TestSuiteOptions, output: Output): Promise<Asker> {
  if (site !== undefined) {
    const asker = await openAnswerAsker({ siteFolder: null, site, onProgress: output.progress })
    return { ask: (test) => asker.ask(test), close: asker.close }
  }
  output.progress('Reading the documentation …')
  const { signal } = new AbortController()
  const files = await openFileSite(tree, '', signal)
  return { ask: (test) => files.ask(test, signal), close: files.close }
}

async function writeFiles({ junit, markdown }: TestSuiteOptions, report: SuiteReport): Promise<void> {
  if (junit !== undefined) await writeFile(junit, writeJunit(report))
  // The summary of a CI run may have parts of other steps.
  if (markdown !== undefined) await appendFile(markdown, writeMarkdown(report))
}

function describeForPrograms({ file, results, passedCount, newFailures, fixedCount, isPassed }: SuiteReport): object {
  const tests = results.map(({ test, line, failures, isKnown, answer }) => ({
    question: test.question,
    version: test.version,
    line,
    isPassed: failures.length === 0,
    isKnown,
    failures,
    verdict: answer.verdict,
    cited: [...new Set(answer.sources.map(({ path }) => path))],
    answer: answer.text,
  }))
  return { file, isPassed, passed: passedCount, newFailures: newFailures.length, fixed: fixedCount, tests }
}

function describeForPeople(report: SuiteReport): string {
  const failed = report.results.filter(({ failures }) => failures.length > 0)
  return [...failed.map((result) => describeFailed(report.file, result)), summarizeReport(report)].join('\n\n')
}

function describeFailed(file: string, { test, line, failures, isKnown }: TestResult): string {
  const version = test.version === null ? '' : ` (${test.version})`
  const list = failures.map(({ message }) => `  ${message}`).join('\n')
  return `${isKnown ? 'known ' : ''}failure  ${test.question}${version}\n  ${file}:${line}\n${list}`
}
