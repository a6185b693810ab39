import { countOf } from '../../contract/count-of.ts'
import type { WeeklyDigest } from '../../contract/weekly-digest.ts'

export interface WrittenDigest {
  /** One line. */
  title: string
  /** Blocks of lines. */
  blocks: string[]
}

/**
 * A digest as people read it.
 *
 * @param show Makes text from outside safe where it is shown: questions of readers, names, findings.
 */
export function writeDigest(digest: WeeklyDigest, show: (text: string) => string): WrittenDigest {
  const { questions, gaps, better, drifted } = digest
  // Here, because it takes 10 ms and 8 MB, and most processes write none.
  const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  const title = `${show(digest.name)}: the week from ${date.format(Date.parse(digest.from))}`
  const list = (head: string, items: readonly string[]) => [head, ...items.map((item) => `- ${item}`)].join('\n')
  return {
    title,
    blocks: [
      `${countOf(questions.asked, 'question')}, ${questions.unanswered} without an answer. The week before: ${questions.askedBefore}, ${questions.unansweredBefore} without.`,
      list(
        `${countOf(gaps.open, 'open gap')}${gaps.top.length === 0 ? '.' : ', most asked first:'}`,
        gaps.top.map(({ question, count }) => `${show(question)} (${countOf(count, 'question')})`),
      ),
      describeBetter(better),
      list(
        `${countOf(drifted.found, 'statement')} found to be false, ${drifted.open} open in all${drifted.top.length === 0 ? '.' : ':'}`,
        drifted.top.map((found) => `${show(found.page)}: ${show(found.title)}`),
      ),
    ],
  }
}

function describeBetter({ gapsClosed, jobsMerged, suite }: WeeklyDigest['better']): string {
  const parts = [
    `${countOf(gapsClosed, 'gap')} closed`,
    `${countOf(jobsMerged, 'pull request')} of the agent merged`,
    ...(suite === null ? [] : [describeTests(suite)]),
  ]
  return `What got better: ${parts.join(', ')}.`
}

function describeTests({ now, before }: NonNullable<WeeklyDigest['better']['suite']>): string {
  const was = before === null ? '' : ` (the week before: ${before.passed} of ${before.total})`
  return `${now.passed} of ${countOf(now.total, 'test')} passed${was}`
}
