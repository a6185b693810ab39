import { maskSecrets } from '../base/mask-secrets.ts'
import { questionCharsMax, readQuestion } from '../contract/assistant-request.ts'
import { cutText } from '../contract/cut-text.ts'
import type { RetriedQuestion } from '../contract/insights.ts'
import type { LiveSite } from '../sites/live-sites.ts'
import type { Log } from '../telemetry/log.ts'
import type { AnswerDeps } from './answer-question.ts'
import { type TrialResult, tryAnswer } from './try-answer.ts'

/** A question and its earlier answer. */
export type AnsweredBefore = Pick<RetriedQuestion, 'question' | 'before'>

export interface RetryInput {
  /** Kept low, because they are asked concurrently. */
  questions: readonly AnsweredBefore[]
  site: LiveSite
  /** Whether secrets and personal data are masked in what is stored. */
  masksStored: boolean
  log: Log
}

const retriedCharsMax = 8_000

/**
 * Asks questions again as a reader of the public pages, without counting them as readers' questions.
 *
 * @param signal Aborts when no one is waiting any more.
 * @returns The answers that finished.
 */
export async function retryQuestions(
  deps: AnswerDeps,
  { questions, site, masksStored, log }: RetryInput,
  signal: AbortSignal,
): Promise<RetriedQuestion[]> {
  const results = await Promise.all(
    questions.map(async (before) => {
      const result = await askOnce(deps, { question: before.question, site, log }, signal)
      if (result === null) return []
      const text = result.answer.text.slice(0, retriedCharsMax).toWellFormed()
      const after = { verdict: result.answer.verdict, answer: masksStored ? maskSecrets(text) : text }
      return [{ ...before, after, askedAt: new Date(deps.clock.now()).toISOString() }]
    }),
  )
  return results.flat()
}

/** @returns Null if the answer broke off. */
async function askOnce(
  deps: AnswerDeps,
  { question, site, log }: { question: string; site: LiveSite; log: Log },
  signal: AbortSignal,
): Promise<TrialResult | null> {
  const messages = [{ role: 'user', parts: [{ type: 'text', text: cutText(question, questionCharsMax) }] }]
  const asked = readQuestion('v2', { fp: 'gap', messages })
  const reader = { readerGroups: [], isSignedIn: false }
  const changes = { model: null, instructions: null, withSkills: true }
  let result: TrialResult | null = null
  const trial = { site, reader, changes, log, question: asked }
  await tryAnswer(
    deps,
    trial,
    () => undefined,
    signal,
    (ended) => (result = ended),
  ).catch((error: unknown) => log.warn({ error }, 'question-not-asked-again'))
  return result
}
