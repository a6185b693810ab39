import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

/** What a run of the tests came to, as `scripts/test.ts` reads it. */
export interface TestSummary {
  passed: number
  /** Failed tests, and whatever else must not be overlooked: files that did not load, failed hooks, unhandled errors. */
  failed: number
  skipped: { name: string; reason: string }[]
}

/** Writes a `TestSummary` to the file that the environment variable `TEST_SUMMARY` names. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const file = process.env['TEST_SUMMARY']
    if (file === undefined) throw new Error('TEST_SUMMARY names no file for the summary: run the tests by "npm test".')
    writeFileSync(file, JSON.stringify(summarize(modules, unhandledErrors)))
  }
}

function summarize(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): TestSummary {
  const summary: TestSummary = { passed: 0, failed: unhandledErrors.length, skipped: [] }
  for (const module of modules) {
    summary.failed += module.errors().length
    for (const suite of module.children.allSuites()) summary.failed += suite.errors().length
    for (const test of module.children.allTests()) {
      const result = test.result()
      if (result.state === 'passed') summary.passed += 1
      else if (result.state === 'skipped')
        summary.skipped.push({ name: test.fullName, reason: result.note ?? guessReason(test) })
      else summary.failed += 1
    }
  }
  return summary
}

/** Tests below a hook that failed count as skipped, and the hook as failed. */
function guessReason({ parent, module }: TestCase): string {
  for (let above = parent; above.type === 'suite'; above = above.parent) {
    if (above.errors().length > 0) return 'a hook of its suite failed'
  }
  return module.errors().length > 0 ? 'a hook of its file failed' : 'no reason given'
}
