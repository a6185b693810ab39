import { readSuiteOf } from '../../content/suite/find-suite.ts'
import { type SuiteTest, suiteTestKey } from '../../contract/suite.ts'
import type { ComparedQuestion } from './compare-sites.ts'
import type { SiteTree } from './site-version.ts'

/**
 * The tests of both sides: a change may add tests and correct expectations, and it is no better for deleting a test that
 * it would fail.
 */
export async function listSuiteQuestions(before: SiteTree, after: SiteTree): Promise<ComparedQuestion[]> {
  const [old, now] = [await readSuiteOf(before.tree, before.folder), await readSuiteOf(after.tree, after.folder)]
  const tests = new Map<string, SuiteTest>([...old.tests, ...now.tests].map((test) => [suiteTestKey(test), test]))
  return [...tests.values()].map((test) => ({ question: test.question, origin: 'suite', test }))
}
