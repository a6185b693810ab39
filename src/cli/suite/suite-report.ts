import { findSuiteFailures } from '../../content/suite/find-suite-failures.ts'
import type { FoundSuite } from '../../content/suite/find-suite.ts'
import type { SuiteAnswer } from '../../assistant/suite/collect-answer.ts'
import { countOf } from '../../contract/count-of.ts'
import { type SuiteFailure, type SuiteTest, suiteTestKey } from '../../contract/suite.ts'

export interface TestResult {
  test: SuiteTest
  /** 1-based line of the file. */
  line: number
  answer: SuiteAnswer
  /** Empty if it passed. */
  failures: SuiteFailure[]
  /** Failed already when the baseline was written. */
  isKnown: boolean
  seconds: number
}

export interface SuiteReport {
  /** Path of the suite in its folder. */
  file: string
  results: TestResult[]
  passedCount: number
  /** Failures that the baseline does not excuse. */
  newFailures: TestResult[]
  /** Tests that the baseline lists as failing and that pass now. */
  fixedCount: number
  /** Whether the documentation meets the threshold and has no new failures. */
  isPassed: boolean
}

export interface SuiteGoal {
  /** Keys of the tests that failed at the baseline; null without one. */
  baseline: ReadonlySet<string> | null
  /** Share of tests that must pass, in percent; null: all, or with a baseline any. */
  threshold: number | null
}

export async function runTest(
  { tests, lines }: Pick<FoundSuite, 'tests' | 'lines'>,
  test: SuiteTest,
  ask: (test: SuiteTest) => Promise<SuiteAnswer>,
): Promise<Omit<TestResult, 'isKnown'>> {
  const start = performance.now()
  const answer = await ask(test)
  const line = lines[tests.indexOf(test)] ?? 1
  return { test, line, answer, failures: findSuiteFailures(test, answer), seconds: (performance.now() - start) / 1_000 }
}

export function writeReport(
  file: string,
  ran: readonly Omit<TestResult, 'isKnown'>[],
  { baseline, threshold }: SuiteGoal,
): SuiteReport {
  const results = ran.map((each) => ({ ...each, isKnown: baseline?.has(suiteTestKey(each.test)) === true }))
  const failed = results.filter(({ failures }) => failures.length > 0)
  const newFailures = failed.filter(({ isKnown }) => !isKnown)
  const passedCount = results.length - failed.length
  const share = (passedCount / Math.max(1, results.length)) * 100
  const isPassed =
    (baseline === null || newFailures.length === 0) && share >= (threshold ?? (baseline === null ? 100 : 0))
  const fixedCount = results.filter(({ isKnown, failures }) => isKnown && failures.length === 0).length
  return { file, results, passedCount, newFailures, fixedCount, isPassed }
}

/** `41 of 43 tests passed, 1 of the failures is new.` */
export function summarizeReport({ results, passedCount, newFailures, fixedCount }: SuiteReport): string {
  const failed = results.length - passedCount
  const isBased = results.some(({ isKnown }) => isKnown)
  const fresh = isBased && failed > 0 ? ` New failures: ${newFailures.length} of ${failed}.` : ''
  const fixed = fixedCount === 0 ? '' : ` ${countOf(fixedCount, 'failure')} of the baseline no longer fails.`
  return `${passedCount} of ${countOf(results.length, 'test')} passed.${fresh}${fixed}`
}
