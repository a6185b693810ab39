import { maskSecrets } from '../../base/mask-secrets.ts'
import { type AssistantQuestion, readQuestion } from '../../contract/assistant-request.ts'
import { offlineModelId } from '../../contract/model-providers.ts'
import type { Replay, ReplayedText } from '../../contract/receipts.ts'
import { createFreeModel } from '../../models/calls/billed-model.ts'
import type { AnswerBasis } from '../../store/tables/answers.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { FoundAnswer } from '../../store/answers/find-answer.ts'
import type { Message } from '../../store/answers/messages.ts'
import type { Log } from '../../telemetry/log.ts'
import type { AnswerModels } from '../answer-models.ts'
import { type AnswerDeps, answerQuestion } from '../answer-question.ts'

export interface ReplayInput {
  /** The site as it was; null if its index is gone. */
  earlier: LiveSite | null
  /** The site as it is served. */
  current: LiveSite
  found: FoundAnswer
  /** The stored messages before the question, oldest first. */
  history: readonly Pick<Message, 'role' | 'text'>[]
  masksStored: boolean
  log: Log
}

/**
 * Answers a stored question again, with the offline model: from the original index and from today's. Nothing is
 * stored or counted, and nothing is paid.
 *
 * @param signal Aborts when no one is waiting any more.
 */
export async function replayAnswer(deps: AnswerDeps, input: ReplayInput, signal: AbortSignal): Promise<Replay> {
  const { earlier, current, found } = input
  const { answer } = found
  const then = earlier === null ? null : await answerAgain(deps, input, earlier, signal)
  const today = await answerAgain(deps, input, current, signal)
  const isOffline = answer.model === offlineModelId
  const judge = (made: Message | null): ReplayedText | null =>
    made === null ? null : { text: made.text, isSame: made.text === answer.text, verdict: made.verdict }
  return {
    messageId: answer.id,
    question: found.question.text,
    answer: answer.text,
    model: answer.model,
    revision: answer.basis?.revision ?? null,
    isPromptSame: then && answer.basis?.promptSha256 === then.basis?.promptSha256,
    again: isOffline ? judge(then) : null,
    today: judge(today),
    missing: listMissing(input, isOffline),
  }
}

/** What of the answer's basis is not there any more, in sentences. */
function listMissing({ earlier, found, masksStored }: ReplayInput, isOffline: boolean): string[] {
  const { basis, generationId } = found.answer
  const gone = `The index ${generationId ?? ''} of revision ${basis?.revision ?? 'unknown'} was deleted when newer ones replaced it.`
  return [
    ...(earlier === null ? [gone] : []),
    ...(isOffline ? [] : ['A model answered, whose words no replay repeats: its prompt is compared instead.']),
    ...(basis?.hadContext === true ? ['The code, selection or files that came with the question are not stored.'] : []),
    ...((basis?.turn ?? 1) > 1
      ? ['The earlier turns are those that are stored, which the client may have changed.']
      : []),
    ...(masksStored ? ['Secrets and personal data in the question are masked, as they are stored.'] : []),
  ]
}

async function answerAgain(
  deps: AnswerDeps,
  input: ReplayInput,
  site: LiveSite,
  signal: AbortSignal,
): Promise<Message | null> {
  const { found, log, masksStored } = input
  const { thread, answer } = found
  const { basis } = answer
  if (basis === null) return null
  const model = createFreeModel(deps.offlineModel)
  // The prompt of other models has no term counts.
  const mayAnswerOffline = answer.model === offlineModelId
  const models: AnswerModels = { answering: model, rewriting: model, mayAnswerOffline }
  const made: Message[] = []
  const { metrics: _none, ...rest } = deps
  const writes: AnswerDeps['writes'] = {
    ...deps.writes,
    add: async ({ messages }) => void made.push(...messages),
  }
  await answerQuestion(
    { ...rest, writes, models: async () => models },
    {
      site,
      reader: { readerGroups: basis.readerGroups, isSignedIn: basis.isSignedIn },
      question: readStoredQuestion(input, basis),
      links: basis.links,
      thread: { id: thread.id, key: '', isNew: false },
      asker: { caller: 'replay', keyId: null, origin: null },
      answerOptions: basis.answerOptions,
      log,
    },
    () => undefined,
    signal,
  )
  const again = made.find(({ role }) => role === 'assistant') ?? null
  return again && (masksStored ? { ...again, text: maskSecrets(again.text) } : again)
}

function readStoredQuestion({ found, history }: ReplayInput, basis: AnswerBasis): AssistantQuestion {
  const { version, language, currentPath } = found.answer.asked ?? {}
  const { tag, groups, pageSize, links } = basis
  const messages = [...history, found.question].map(({ role, text }) => ({ role, parts: [{ type: 'text', text }] }))
  const filter = { version, language, tag, groups }
  return readQuestion('v2', { fp: 'replay', messages, filter, currentPath, retrievalPageSize: pageSize, links })
}
