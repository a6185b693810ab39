import type { EmitAnswerEvent } from '../contract/answer-event.ts'
import type { BilledModel } from '../models/calls/model-account.ts'
import type { Message } from '../store/answers/messages.ts'
import { addCounts } from '../store/counts/counters.ts'
import { dayMs } from '../base/durations.ts'
import { microPerUsd } from '../store/counts/day-budget.ts'
import { isOffline } from './answer-models.ts'
import { type AnswerDeps, answerQuestion } from './answer-question.ts'
import type { AnswerInput } from './stages/prepare-answer.ts'
import { type VerifiedSentence, verifySentences } from './verify-sentences.ts'

/** What differs from an answer for readers. */
export interface TrialChanges {
  /** Instead of the configured model. */
  model: BilledModel | null
  /** Instead of the owner's instructions in the site's settings. */
  instructions: string | null
  withSkills: boolean
}

export interface TrialInput extends Pick<AnswerInput, 'site' | 'reader' | 'question' | 'log'> {
  changes: TrialChanges
}

/** The result of a trial. */
export interface TrialResult {
  /** As it would have been stored. */
  answer: Message
  /** Empty if it broke off before its verdict. */
  sentences: VerifiedSentence[]
}

/** Names of the trial counters, by site and UTC day: answers, and their cost in millionths of a US dollar. */
export const trialCounters = { answers: 'playground-answers', costs: 'playground-cost' } as const

/**
 * Answers as for a reader, but stores no thread and no counted question. The cost counts against the site's ceiling,
 * and is recorded separately.
 *
 * @param onEnd Called with the result, before the last event.
 */
export async function tryAnswer(
  deps: AnswerDeps,
  input: TrialInput,
  emit: EmitAnswerEvent,
  signal: AbortSignal,
  onEnd: (result: TrialResult) => void,
): Promise<void> {
  let sentences: VerifiedSentence[] = []
  const { changes, site, ...rest } = input
  const { model } = changes
  const models = model && { answering: model, rewriting: model, mayAnswerOffline: isOffline(model) }
  const writes: AnswerDeps['writes'] = {
    ...deps.writes,
    async add({ messages }) {
      const answer = messages.find(({ role }) => role === 'assistant')
      if (answer === undefined) return
      onEnd({ answer, sentences })
      await noteTrial(deps, answer)
    },
  }
  await answerQuestion(
    {
      ...deps,
      writes,
      onVerify: ({ citedTexts }, judged) => (sentences = verifySentences(judged, citedTexts)),
      ...(models && { models: async () => models }),
    },
    {
      ...rest,
      site: changeSite(site, changes),
      // The dashboard shows answers on a host of its own.
      links: 'absolute',
      thread: { id: deps.ids.ulid(), key: '', isNew: true },
      asker: { caller: 'playground', keyId: null, origin: null },
      answerOptions: [],
    },
    emit,
    signal,
  )
}

function changeSite(site: TrialInput['site'], { instructions, withSkills }: TrialChanges): TrialInput['site'] {
  return {
    ...site,
    settings: instructions === null ? site.settings : { ...site.settings, instructions },
    guidance: withSkills ? site.guidance : { ...site.guidance, skills: [] },
  }
}

async function noteTrial({ store, clock }: AnswerDeps, { siteId, costUsd }: Message): Promise<void> {
  const cost = Math.max(0, Math.ceil((costUsd ?? 0) * microPerUsd - 1e-6))
  const place = { subject: siteId, windowStart: Math.floor(clock.now() / dayMs) * dayMs }
  const counts = [
    { ...place, name: trialCounters.answers, count: 1 },
    { ...place, name: trialCounters.costs, count: cost },
  ]
  await addCounts(
    store.relaxed,
    counts.filter(({ count }) => count > 0),
  )
}
