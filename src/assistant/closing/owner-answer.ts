import { analyzeText } from '../../base/text-analysis/analyze-text.ts'
import { findSuiteFailures, type TestedAnswer } from '../../content/suite/find-suite-failures.ts'
import type { SuiteTest } from '../../contract/suite.ts'

/** Share of terms that two questions must have in common to ask the same. */
const likenessMin = 0.8

interface OwnerAnswerInput {
  suite: readonly SuiteTest[]
  question: string
  version: string | null
  /** The answer from the pages. */
  answer: TestedAnswer
}

/**
 * The owner's answer to a question that the pages do not answer as its test expects, as Markdown to follow their answer.
 * Says whose it is and cites nothing. Empty if there is none, or if the answer passes the test. Pure.
 */
export function writeOwnerAnswer({ suite, question, version, answer }: OwnerAnswerInput): string {
  const given = suite.filter((test) => test.answer !== null && (test.version ?? version) === version)
  if (given.length === 0) return ''
  const asked = listTerms(question)
  const [best] = given
    .map((test) => ({ test, likeness: measureLikeness(asked, listTerms(test.question)) }))
    .sort((one, other) => other.likeness - one.likeness)
  if (best === undefined || best.likeness < likenessMin || findSuiteFailures(best.test, answer).length === 0) return ''
  const quoted = (best.test.answer ?? '').split('\n').map((line) => `> ${line}`)
  return `\n\n**The owner of this documentation answers, as its pages do not say so yet:**\n\n${quoted.join('\n')}`
}

function listTerms(text: string): ReadonlySet<string> {
  return new Set(analyzeText(text, null).map(({ term }) => term))
}

function measureLikeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((term) => other.has(term)).length
  return shared / Math.max(1, one.size + other.size - shared)
}
