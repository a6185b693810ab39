import type { EmitAnswerEvent } from '../contract/answer-event.ts'
import type { BilledModel } from '../models/calls/model-account.ts'
import type { Message } from '../store/messages.ts'
import { addCounts } from '../store/counters.ts'
import type { WriteGroup } from '../store/write-group.ts'
import { isOffline } from './answer-models.ts'
import { type AnswerDeps, type AnswerInput, answerQuestion } from './answer-question.ts'
import type { JudgeInput } from './judge-answer.ts'

/** What is other than for readers. */
export interface TrialChanges {
  /** Instead of the model that is set. */
  model: BilledModel | null
  /** Instead of the owner's instructions in the settings of the site. */
  instructions: string | null
  withSkills: boolean
}

export interface TrialInput extends Pick<AnswerInput, 'site' | 'reader' | 'question' | 'log'> {
  changes: TrialChanges
}

/** How an answer ended that was tried out. */
export interface TrialResult {
  /** As it would have been stored. */
  answer: Message
  /** What its verdict was made of; null when it broke off before. */
  judging: JudgeInput | null
}

/** Names of the counts of trials, by site and UTC day: of answers, and of what they cost in millionths of a US dollar. */
export const trialCounters = { answers: 'playground-answers', costs: 'playground-cost' } as const

const dayMs = 86_400_000
const microPerUsd = 1_000_000

/**
 * Answers as for a reader, by the same engine, and stores nothing of it: no thread, no question that is counted. What
 * it costs counts against the ceiling of the site, and is noted apart.
 *
 * @param onEnd Told how it ended, before the last event.
 */
export async function tryAnswer(
  deps: AnswerDeps,
  input: TrialInput,
  emit: EmitAnswerEvent,
  signal: AbortSignal,
  onEnd: (result: TrialResult) => void,
): Promise<void> {
  let judging: JudgeInput | null = null
  const { changes, site, ...rest } = input
  const { model } = changes
  const models = model && { answering: model, rewriting: model, mayAnswerOffline: isOffline(model) }
  const writes = divertWrites(deps, async (answer) => {
    onEnd({ answer, judging })
    await noteTrial(deps, answer)
  })
  await answerQuestion(
    { ...deps, writes, ...(models && { models: async () => models }) },
    {
      ...rest,
      site: changeSite(site, changes),
      thread: { id: deps.ids.ulid(), key: '', isNew: true },
      asker: { caller: 'playground', keyId: null },
      onJudge: (made) => (judging = made),
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

/** Hands over the answer that would be stored. */
function divertWrites({ writes }: AnswerDeps, take: (answer: Message) => Promise<void>): WriteGroup {
  return {
    ...writes,
    async add({ messages }) {
      const answer = messages.find(({ role }) => role === 'assistant')
      if (answer !== undefined) await take(answer)
    },
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
