import type { AnswerEvent, EmitAnswerEvent, FinishReason } from '../contract/answer-event.ts'
import type { FinishedMetadata } from '../contract/answer-metadata.ts'
import { ModelFailureError } from '../models/loop/model-failure-error.ts'
import { runInSpan } from '../telemetry/work-context.ts'
import { answerBounds } from './answer-bounds.ts'
import { nameModel } from '../contract/model-providers.ts'
import { isAnswer } from '../contract/verdicts.ts'
import type { AnswerModels } from './answer-models.ts'
import { AnswerPages } from './answer-pages.ts'
import { noDiscrepancies, writeDiscrepancyNotes } from './closing/discrepancy-note.ts'
import type { JudgedSentence } from './citations/answer-citations.ts'
import { closeAnswer } from './stages/close-answer.ts'
import { GatedAnswer } from './stages/gate-answer.ts'
import { generateAnswer, type GenerateDeps, type ModelWork } from './stages/generate-answer.ts'
import { type AnswerInput, prepareAnswer, type PrepareDeps, type PreparedAnswer } from './stages/prepare-answer.ts'
import { recordAnswer, type RecordDeps } from './stages/record-answer.ts'
import { retrievePassages } from './stages/retrieve-passages.ts'
import { markConflict, type VerifiedAnswer, verifyAnswer, type VerifyInput } from './stages/verify-answer.ts'
import type { AnswerToolDeps } from './tools/answer-tool.ts'
import { createAnswerTools } from './tools/answer-tools.ts'
import { showWholePage } from './tools/search-tool.ts'

export interface AnswerDeps extends PrepareDeps, GenerateDeps, RecordDeps {
  /** The currently configured models. */
  models(): Promise<AnswerModels>
  /** Called with the basis of the verdict when the model has finished. */
  onVerify?(input: VerifyInput, sentences: readonly JudgedSentence[]): void
}

/** An answer in progress: what is known from the start, and the two objects that collect the stream. */
interface OpenAnswer {
  answer: PreparedAnswer
  pages: AnswerPages
  gated: GatedAnswer
}

/** Results of the stages; partial if the answer broke off. */
interface AnswerState extends ModelWork {
  finishReason: FinishReason
  verified: VerifiedAnswer
}

type Advance = (change: Partial<AnswerState>) => void

const initialState: AnswerState = {
  modelId: null,
  usage: { inputTokens: 0, outputTokens: 0 },
  modelReason: null,
  promptSha256: null,
  finishReason: 'other',
  verified: { verdict: 'unanswered', reasons: [] },
}
const tooLongMessage = 'The answer took too long and is incomplete. Ask again, or ask for less at a time.'

/**
 * Answers a question from the pages of a site.
 *
 * The first search runs before the model is called, so that most questions need only one model call; the model may
 * search again. The answer is stored before `answer-finished`, so an answer that a client saw finish survives a crash.
 * If the client disconnects or the model fails, the partial answer is stored.
 *
 * @param signal Aborts when no one is waiting for the answer any more.
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
  const pages = new AnswerPages({ ...answer.site, revision: answer.site.generation.revision }, answer.links)
  const writesMarkers = answer.answerOptions.includes('citation-markers')
  const open = { answer, pages, gated: new GatedAnswer(deps.clock, pages, emit, { writesMarkers }) }
  let state = initialState
  const advance: Advance = (change) => (state = { ...state, ...change })
  const timeUp = AbortSignal.timeout(answerBounds.timeMs)
  await emit({ type: 'answer-started', messageId: answer.id, threadId: answer.thread.id })
  try {
    await runStages(deps, open, advance, AbortSignal.any([signal, timeUp]))
  } catch (error) {
    open.gated.endPiece()
    await recordAnswer(deps, { ...open, ...state, outcome: signal.aborted ? 'disconnected' : 'failed' })
    if (signal.aborted) return
    const failure = timeUp.aborted ? { message: tooLongMessage } : describeFailure(error)
    if (failure === null) throw error
    input.log.warn({ error }, 'answer-failed')
    await emit({ type: 'answer-failed', ...failure })
    return
  }
  await recordAnswer(deps, { ...open, ...state, outcome: 'finished' })
  await emit(finishedEvent(open, state))
}

/** @returns Null for any other error, which is a bug. */
function describeFailure(error: unknown) {
  if (!(error instanceof ModelFailureError)) return null
  const { message, retryAfterMs } = error
  return retryAfterMs === null ? { message } : { message, retryAfterMs }
}

async function runStages(
  deps: AnswerDeps,
  { answer, pages, gated }: OpenAnswer,
  advance: Advance,
  signal: AbortSignal,
): Promise<void> {
  const { site, reader, modelQuestion: question } = answer
  const toolDeps: AnswerToolDeps = { site, reader, question, onRead: (read) => pages.add(read) }
  const tools = createAnswerTools(toolDeps)
  const choosing = chooseModels(deps, advance)
  const retrieving = retrievePassages(
    deps,
    { answer, gated, models: choosing, toolDeps, searchTool: tools.search },
    signal,
  )
  const [models, search] = await Promise.all([choosing, retrieving])
  const generating = { answer, gated, models, search, tools: tools.all, onWork: advance }
  const generated = await generateAnswer(deps, generating, signal)
  const { finishReason, claim } = generated
  const verifying = { text: gated.ownText, citedTexts: pages.citedTexts, claim }
  deps.onVerify?.(verifying, pages.citations.sentences)
  const verified = verifyAnswer(verifying)
  advance({ finishReason, verified })
  const { doubt, ...conflict } = isAnswer(verified.verdict)
    ? await writeDiscrepancyNotes({ site, reader, pages, text: gated.ownText })
    : noDiscrepancies
  if (conflict.pages.length > 0) {
    advance({ verified: markConflict(verified, conflict.subjects) })
    for (const page of conflict.pages) await showWholePage(toolDeps, page, signal)
    await gated.append(conflict.text)
  }
  const { verdict } = verified
  await gated.close(closeAnswer({ ...generated, answer, pages, text: gated.text, verdict, doubt }))
}

async function chooseModels(deps: AnswerDeps, advance: Advance): Promise<AnswerModels> {
  const models = await deps.models()
  advance({ modelId: nameModel(models.answering) })
  return models
}

function finishedEvent({ answer, pages }: OpenAnswer, state: AnswerState): AnswerEvent {
  const { modelId, usage, modelReason, finishReason, verified } = state
  const { verdict, reasons } = verified
  const { site, question } = answer
  return {
    type: 'answer-finished',
    threadId: answer.thread.id,
    finishReason,
    usage,
    metadata: {
      model: modelId,
      answered: isAnswer(verdict),
      verdict,
      verdictReasons: reasons,
      citations: pages.citations.numbered,
      commit: site.commit,
      version: question.filter.version ?? site.index.header.defaultVersion,
      // Here as well, because strict clients accept neither on their own frame.
      finishReason,
      usage: { ...usage },
      ...(modelReason !== null && { modelReason }),
    } satisfies FinishedMetadata,
  }
}
