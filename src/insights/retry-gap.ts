import type { ReaskedQuestion } from '../contract/insights.ts'
import { updateGap } from '../store/answers/gaps.ts'
import type { Store } from '../store/store.ts'
import type { FoundGap } from './find-gaps.ts'

/** Most distinct questions of a gap to ask again, newest first. */
const questionsMax = 5
/** Most results to keep, newest first. */
const reaskedMax = 20
const answerCharsMax = 8_000

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

/** Stores the results of asking again. The gap is mended once all answers are supported. */
export async function storeRetries(
  store: Store,
  gap: Pick<FoundGap, 'id' | 'reasked'>,
  reasked: readonly ReaskedQuestion[],
  updatedAt: number,
): Promise<void> {
  const isMended = reasked.length > 0 && reasked.every(({ after }) => after.verdict === 'supported')
  await updateGap(store.durable, gap.id, {
    reasked: [...reasked, ...gap.reasked].slice(0, reaskedMax),
    updatedAt,
    ...(isMended && { state: 'mended' as const }),
  })
}
