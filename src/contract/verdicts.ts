/** How far the documentation bears out an answer. */
export const answerVerdicts = [
  'supported',
  'partial',
  'nearest-page',
  'conflicting',
  'unsupported',
  'unanswered',
] as const

export type AnswerVerdict = (typeof answerVerdicts)[number]

/** Verdict on an answer, or how it was interrupted. */
export const verdicts = [...answerVerdicts, 'failed', 'disconnected'] as const

/** Verdicts on texts that decline to answer, though they may name the nearest page. */
export const refusalVerdicts = ['nearest-page', 'unanswered'] as const satisfies readonly AnswerVerdict[]

/** Verdicts that suggest that the documentation lacks something. */
export const lackingVerdicts = ['partial', ...refusalVerdicts] as const satisfies readonly AnswerVerdict[]

/** Whether a text with this verdict gives an answer, however good. */
export function isAnswer(verdict: AnswerVerdict): boolean {
  return !isRefusal(verdict)
}

/** Whether a stored answer counts as one for who asked: it says something, and the pages bear it out at least in part. */
export function isAnswered(verdict: string | null): boolean {
  return verdict === 'supported' || verdict === 'partial' || verdict === 'conflicting'
}

/** @param verdict As stored: null for questions, and unknown to this version in backups of later ones. */
export function isRefusal(verdict: string | null): boolean {
  return refusalVerdicts.some((each) => each === verdict)
}

export function readVerdict(value: unknown): AnswerVerdict | null {
  return answerVerdicts.find((verdict) => verdict === value) ?? null
}
