import { countOf } from '../contract/count-of.ts'
import type { ReaskedQuestion } from '../contract/insights.ts'
import { updateGap } from '../store/answers/gaps.ts'
import type { Store } from '../store/store.ts'
import type { FoundGap } from './find-gaps.ts'

/** Most distinct questions of a gap to ask again, newest first. */
const questionsMax = 5
/** Most results to keep, newest first. */
const reaskedMax = 20
const answerCharsMax = 8_000

export interface RetryOutcome {
  reasked: readonly ReaskedQuestion[]
  /** The commit that the site was built from; null if its source is not a repository. */
  commit: string | null
  /** Whether the change of the gap's job was merged. */
  isMerged: boolean
  now: number
}

/** Selects the questions of a gap to ask again, with their previous answers. */
export function chooseRetries(
  gap: Pick<FoundGap, 'asked' | 'question'>,
): Pick<ReaskedQuestion, 'question' | 'before'>[] {
  const byText = new Map<string, Pick<ReaskedQuestion, 'question' | 'before'>>()
  for (const { question, answer } of gap.asked) {
    const before = { verdict: answer.verdict, answer: answer.text.slice(0, answerCharsMax).toWellFormed() }
    if (!byText.has(question)) byText.set(question, { question, before })
  }
  if (byText.size === 0) byText.set(gap.question, { question: gap.question, before: { verdict: null, answer: '' } })
  return [...byText.values()].slice(0, questionsMax)
}

/**
 * Stores the results of asking again. The gap is mended once all answers are supported. Otherwise it is open again, if it
 * was mended before or its change was merged.
 */
export async function storeRetries(
  store: Store,
  gap: Pick<FoundGap, 'id' | 'state' | 'reasked'>,
  { reasked, commit, isMerged, now }: RetryOutcome,
): Promise<void> {
  const isMended = reasked.length > 0 && reasked.every(({ after }) => after.verdict === 'supported')
  const isBack = reasked.length > 0 && !isMended && (isMerged || gap.state === 'mended')
  await updateGap(store.durable, gap.id, {
    reasked: [...reasked, ...gap.reasked].slice(0, reaskedMax),
    updatedAt: now,
    ...(isMended && { state: 'mended' as const, commit, failure: null }),
    ...(isBack && { state: 'open' as const, commit: null, failure: describeBack(reasked, isMerged) }),
  })
}

function describeBack(reasked: readonly ReaskedQuestion[], isMerged: boolean): string {
  const held = reasked.filter(({ after }) => after.verdict === 'supported').length
  const when = isMerged ? 'After the merge' : 'Asked again'
  return `${when}, ${held} of ${countOf(reasked.length, 'question')} had an answer that the pages bear out.`
}
