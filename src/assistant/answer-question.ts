import type { KeyObject } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/ids.ts'
import type { EmitAnswerEvent } from '../contract/answer-event.ts'
import type { AssistantQuestion } from '../contract/assistant-request.ts'
import type { ChatModel } from '../models/chat-model.ts'
import { ModelFailureError } from '../models/loop/model-failure-error.ts'
import type { Reader } from '../search/search-query.ts'
import type { LiveSite } from '../sites/live-sites.ts'
import type { Store } from '../store/store.ts'
import type { WriteGroup } from '../store/write-group.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { runInSpan } from '../telemetry/work-context.ts'
import { answerBounds } from './answer-bounds.ts'
import type { AnswerModels } from './answer-models.ts'
import type { JudgeInput } from './judge-answer.ts'
import type { OpenThread } from './open-thread.ts'
import type { Asker } from './record-answer.ts'
import { RunningAnswer } from './running-answer.ts'
import { shortenQuestion } from './shorten-question.ts'
import type { SiteCeilings } from './site-account.ts'

export interface AnswerDeps {
  store: Store
  /** Groups the durable writes of concurrent answers. */
  writes: WriteGroup
  clock: Clock
  ids: IdSource
  /** The models that are set now. */
  models(): Promise<AnswerModels>
  /** Answers where a site has spent what it may. */
  offlineModel: ChatModel
  /** What a site may spend in a UTC day, where it has no ceiling of its own. */
  siteCeilings: SiteCeilings
  /** Characters that are read of a question; of a longer one, its middle is left out. */
  questionCharsMax: number
  /** Whether secrets and personal data are taken out of what models get to read of a reader. */
  masksPrompts: boolean
  threadKeySecret: KeyObject
  /** Absent: nothing is measured. */
  metrics?: Metrics
}

export interface AnswerInput {
  site: LiveSite
  reader: Reader
  question: AssistantQuestion
  thread: OpenThread
  asker: Asker
  log: Log
  /** Told what the verdict is made of, when the model has ended. */
  onJudge?(judging: JudgeInput): void
}

/** With what is read of the question. */
export interface RunningInput extends AnswerInput {
  /** First line of the answer, with the blank line after it; empty when the whole question is read. */
  notice: string
}

const tooLongMessage = 'The answer took too long, so it stays incomplete. Ask again, or ask for less at once.'

/**
 * Answers a question from the pages of a site.
 *
 * The first search runs before the model is asked, so that the common question needs one model call; the model may
 * search again. The answer is stored before `answer-finished`: what a client saw finished survives a crash. A client
 * that leaves, or a model that fails, leaves a record of what was said.
 *
 * @param signal Aborts when nobody waits for the answer any more.
 */
export function answerQuestion(
  deps: AnswerDeps,
  input: AnswerInput,
  emit: EmitAnswerEvent,
  signal: AbortSignal,
): Promise<void> {
  const attributes = { 'docent.siteId': input.site.id }
  return runInSpan('answer question', { attributes }, () => runAnswer(deps, input, emit, signal))
}

async function runAnswer(
  deps: AnswerDeps,
  input: AnswerInput,
  emit: EmitAnswerEvent,
  signal: AbortSignal,
): Promise<void> {
  const shortened = shortenQuestion(input.question, deps.questionCharsMax)
  const answer = new RunningAnswer(deps, { ...input, ...shortened }, emit)
  const timeUp = AbortSignal.timeout(answerBounds.timeMs)
  await emit({ type: 'answer-started', messageId: answer.messageId, threadId: input.thread.id })
  try {
    await answer.run(AbortSignal.any([signal, timeUp]))
  } catch (error) {
    answer.letGo()
    await answer.end(signal.aborted ? 'disconnected' : 'failed')
    if (signal.aborted) return
    const message = timeUp.aborted ? tooLongMessage : error instanceof ModelFailureError ? error.message : null
    if (message === null) throw error
    input.log.warn({ error }, 'answer-failed')
    await emit({ type: 'answer-failed', message })
    return
  }
  await answer.end('finished')
  await emit(answer.finished())
}
