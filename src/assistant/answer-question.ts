import type { AnswerEvent, EmitAnswerEvent, FinishReason } from '../contract/answer-event.ts'
import { ModelFailureError } from '../models/run-tool-loop.ts'
import { runInSpan } from '../telemetry/work-context.ts'
import { answerBounds } from './answer-bounds.ts'
import { type AnswerModels, nameModel } from './answer-models.ts'
import { AnswerPages } from './answer-pages.ts'
import { writeClosing } from './stages/close-answer.ts'
import { GatedAnswer } from './stages/gate-answer.ts'
import { generateAnswer, type GenerateDeps, type ModelWork, noWork } from './stages/generate-answer.ts'
import { type AnswerInput, prepareAnswer, type PrepareDeps, type PreparedAnswer } from './stages/prepare-answer.ts'
import { type AnswerOutcome, recordAnswer, type RecordDeps } from './stages/record-answer.ts'
import { retrievePassages } from './stages/retrieve-passages.ts'
import { type VerifiedAnswer, verifyAnswer, type VerifyInput } from './stages/verify-answer.ts'
import { createAnswerTools } from './tools/answer-tools.ts'

export interface AnswerDeps extends PrepareDeps, GenerateDeps, RecordDeps {
  /** The models that are set now. */
  models(): Promise<AnswerModels>
  /** Called with what the verdict is based on, when the model has ended. */
  onVerify?(input: VerifyInput): void
}

/** An answer while it is made: its values so far, and the two objects that collect what streams in. */
interface MakingAnswer {
  answer: PreparedAnswer
  pages: AnswerPages
  gated: GatedAnswer
  onWork(change: Partial<ModelWork>): void
}

interface MadeAnswer {
  finishReason: FinishReason
  verified: VerifiedAnswer
}

const notVerified: VerifiedAnswer = { verdict: 'unanswered', reasons: [] }
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
  const answer = prepareAnswer(deps, input)
  const pages = new AnswerPages(answer.site.url)
  const gated = new GatedAnswer({ clock: deps.clock, pages, emit })
  let work = noWork
  const onWork = (change: Partial<ModelWork>) => void (work = { ...work, ...change })
  const record = (outcome: AnswerOutcome, verified: VerifiedAnswer) =>
    recordAnswer(deps, { answer, pages, gated, work, outcome, verified })
  const timeUp = AbortSignal.timeout(answerBounds.timeMs)
  await emit({ type: 'answer-started', messageId: answer.id, threadId: answer.thread.id })
  let made: MadeAnswer
  try {
    made = await makeAnswer(deps, { answer, pages, gated, onWork }, AbortSignal.any([signal, timeUp]))
  } catch (error) {
    gated.breakOff()
    await record(signal.aborted ? 'disconnected' : 'failed', notVerified)
    if (signal.aborted) return
    const message = timeUp.aborted ? tooLongMessage : error instanceof ModelFailureError ? error.message : null
    if (message === null) throw error
    input.log.warn({ error }, 'answer-failed')
    await emit({ type: 'answer-failed', message })
    return
  }
  await record('finished', made.verified)
  await emit(finishedEvent(answer, work, made))
}

/** The stages between the question and its record. The gate stands between the model and the reader of every one. */
async function makeAnswer(
  deps: AnswerDeps,
  { answer, pages, gated, onWork }: MakingAnswer,
  signal: AbortSignal,
): Promise<MadeAnswer> {
  const { site, reader, modelQuestion, notice } = answer
  const tools = createAnswerTools({ site, reader, question: modelQuestion, onRead: (read) => pages.add(read) })
  const choosing = chooseModels(deps, onWork)
  const retrieving = retrievePassages(deps, { answer, gated, models: choosing, searchTool: tools.search }, signal)
  const [models, search] = await Promise.all([choosing, retrieving])
  const generating = { answer, gated, models, search, tools: tools.all, onWork }
  const { finishReason, isAnswered } = await generateAnswer(deps, generating, signal)
  const verifying = { text: gated.text.slice(notice.length), citedTexts: pages.citedTexts, isAnswered }
  deps.onVerify?.(verifying)
  const verified = verifyAnswer(verifying)
  const { verdict } = verified
  await gated.close(writeClosing({ answer, pages, text: gated.text, finishReason, verdict }))
  return { finishReason, verified }
}

async function chooseModels(deps: AnswerDeps, onWork: MakingAnswer['onWork']): Promise<AnswerModels> {
  const models = await deps.models()
  onWork({ modelId: nameModel(models.answering) })
  return models
}

function finishedEvent(
  { thread }: PreparedAnswer,
  { modelId, usage, modelReason }: ModelWork,
  { finishReason, verified }: MadeAnswer,
): AnswerEvent {
  const { verdict, reasons } = verified
  return {
    type: 'answer-finished',
    threadId: thread.id,
    finishReason,
    usage,
    metadata: {
      model: modelId,
      answered: verdict !== 'unanswered',
      verdict,
      verdictReasons: reasons,
      ...(modelReason !== null && { modelReason }),
    },
  }
}
