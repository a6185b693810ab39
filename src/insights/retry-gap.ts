import { countOf } from '../contract/count-of.ts'
import type { RetriedQuestion } from '../contract/insights.ts'
import { updateGap } from '../store/answers/gaps.ts'
import type { Store } from '../store/store.ts'
import type { FoundGap } from './find-gaps.ts'

/** Most distinct questions of a gap to ask again, newest first. */
const questionsMax = 5
/** Most results to keep, newest first. */
const retriedMax = 20
const answerCharsMax = 8_000

export interface RetryOutcome {
  retried: readonly RetriedQuestion[]
  /** The commit that the site was built from; null if its source is not a repository. */
  commit: string | null
  /** Whether the change of the gap's job was merged. */
  isMerged: boolean
  now: number
}

/** Selects the questions of a gap to ask again, with their previous answers. */
export function chooseRetries(
  gap: Pick<FoundGap, 'asked' | 'question'>,
): Pick<RetriedQuestion, 'question' | 'before'>[] {
  const byText = new Map<string, Pick<RetriedQuestion, 'question' | 'before'>>()
  for (const { question, answer } of gap.asked) {
    const before = { verdict: answer.verdict, answer: answer.text.slice(0, answerCharsMax).toWellFormed() }
    if (!byText.has(question)) byText.set(question, { question, before })
  }
  if (byText.size === 0) byText.set(gap.question, { question: gap.question, before: { verdict: null, answer: '' } })
  return [...byText.values()].slice(0, questionsMax)
}

/**
 * Stores the results of asking again. The gap is fixed once all answers are supported. Otherwise it is open again, if it
 * was fixed before or its change was merged.
 */
export async function storeRetries(
  store: Store,
  gap: Pick<FoundGap, 'id' | 'state' | 'retried'>,
  { retried, commit, isMerged, now }: RetryOutcome,
): Promise<void> {
  const isFixed = retried.length > 0 && retried.every(({ after }) => after.verdict === 'supported')
  const isBack = retried.length > 0 && !isFixed && (isMerged || gap.state === 'fixed')
  await updateGap(store.durable, gap.id, {
    retried: [...retried, ...gap.retried].slice(0, retriedMax),
    updatedAt: now,
    ...(isFixed && { state: 'fixed' as const, commit, failure: null }),
    ...(isBack && { state: 'open' as const, commit: null, failure: describeBack(retried, isMerged) }),
  })
}

function describeBack(retried: readonly RetriedQuestion[], isMerged: boolean): string {
  const held = retried.filter(({ after }) => after.verdict === 'supported').length
  const when = isMerged ? 'After the merge' : 'Asked again'
  return `${when}, ${held} of ${countOf(retried.length, 'question')} had an answer that the pages bear out.`
}
