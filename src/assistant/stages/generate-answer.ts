import { hash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { TokenUsage } from '../../contract/answer-event.ts'
import type { ChatModel, ChatPrompt } from '../../models/chat-model.ts'
import { wrapModel } from '../../models/calls/wrap-model.ts'
import type { AssistantQuestion } from '../../contract/assistant-request.ts'
import { offlineModelId } from '../../contract/model-providers.ts'
import { ModelCallError } from '../../models/calls/model-call-error.ts'
import { type LoopEnd, type LoopUse, runToolLoop } from '../../models/loop/run-tool-loop.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import { answerBounds } from '../answer-bounds.ts'
import { type AnswerModels, isOffline } from '../answer-models.ts'
import {
  costReasons,
  describeUnread,
  hasFiles,
  markUnread,
  offlineReasons,
  refusedReasons,
  type UnreadReasons,
  withoutFiles,
} from '../prompt/attached-files.ts'
import { buildInstructions, describeSite } from '../prompt/instructions.ts'
import { buildConversation } from '../prompt/question-prompt.ts'
import { addTermCounts, type MadeSearch, toSearchQuery, toToolMessages } from '../tools/search-tool.ts'
import type { GatedAnswer } from './gate-answer.ts'
import type { PreparedAnswer } from './prepare-answer.ts'

export interface GenerateDeps {
  clock: Clock
  /** Answers when a site has spent its budget. */
  offlineModel: ChatModel
}

/** The models' work on an answer so far, which is recorded even if the answer breaks off. */
export interface ModelWork {
  /** Null until one is chosen. */
  modelId: string | null
  usage: TokenUsage
  /** Why the offline model took over; null if it did not, or is the configured model. */
  modelReason: 'daily-cost-reached' | 'answer-cost-reached' | null
  /** In hex, of the instructions and the messages of the first call, without files; null before. */
  promptSha256: string | null
}

interface GenerateInput {
  answer: PreparedAnswer
  gated: GatedAnswer
  models: AnswerModels
  search: MadeSearch
  tools: readonly ToolDefinition[]
  onWork(change: Partial<ModelWork>): void
}

/** The result of the model's work. */
export interface GeneratedAnswer extends Pick<LoopEnd, 'finishReason' | 'isSilent' | 'claim'> {
  /** Sentences about files that the model was meant to read but did not; usually empty. */
  unreadNotice: string
}

/** Lets the model answer through the gate, with tools, within the bounds of one answer. */
export async function generateAnswer(
  deps: GenerateDeps,
  input: GenerateInput,
  signal: AbortSignal,
): Promise<GeneratedAnswer> {
  const { answer, gated, models, search, tools, onWork } = input
  const { site, settings, modelQuestion: question, log } = answer
  gated.readsClaims = !isOffline(input.models.answering)
  const isReadOffline = isOffline(models.answering)
  const conversation = buildConversation(question)
  const instructions = buildInstructions(describeSite(site, settings, question))
  const found = toToolMessages(search)
  onWork({ promptSha256: hashPrompt(instructions, [...withoutFiles(conversation), ...found], search.callId) })
  const files = { isTooExpensive: false }
  const { finishReason, isSilent, claim, modelId, imagesRefused } = await runToolLoop({
    model: openModel(deps, input, files),
    instructions,
    messages: [...(isReadOffline ? withoutFiles(conversation) : conversation), ...found],
    tools,
    emit: (event) => gated.pass(event),
    maxSteps: answerBounds.steps,
    maxOutputTokens: answerBounds.outputTokens,
    totalOutputTokens: answerBounds.totalOutputTokens,
    maxToolCalls: answerBounds.toolCalls,
    acceptsRestart: question.accept.includes('reset-step'),
    onStep: ({ usage }) => onWork({ usage }),
    isSpent: (used) => isSpent(answer, used, deps.clock.now()),
    signal,
    onToolError: (tool, error) => log.warn({ tool, error }, 'answer-tool-failed'),
  })
  if (modelId !== null) onWork({ modelId })
  const unreadNotice = isReadOffline ? '' : writeUnreadNotice(question, { modelId, imagesRefused, ...files })
  return { finishReason, isSilent, claim, unreadNotice }
}

/** Files that cannot be read at all were already named when the answer began. */
function writeUnreadNotice({ attachments }: AssistantQuestion, end: Parameters<typeof findUnreadReasons>[0]): string {
  const reasons = findUnreadReasons(end)
  const readable = attachments.filter(({ kind }) => kind !== 'unread')
  return reasons === null ? '' : describeUnread(markUnread(readable, reasons))
}

function findUnreadReasons(end: Pick<LoopEnd, 'modelId' | 'imagesRefused'> & FileUse): UnreadReasons | null {
  if (end.modelId === offlineModelId) return offlineReasons
  if (end.isTooExpensive) return costReasons
  return end.imagesRefused ? refusedReasons : null
}

/** Set when the files of the question are left out. */
interface FileUse {
  isTooExpensive: boolean
}

/** Ids of calls are random. */
function hashPrompt(instructions: string, messages: ChatPrompt, callId: string): string {
  return hash('sha256', JSON.stringify([instructions, messages]).replaceAll(callId, 'call'))
}

/**
 * The answering model, paid for by the site. A call that could exceed a ceiling is made without the files of the
 * question or, if that is not enough, by the offline model.
 */
function openModel({ offlineModel }: GenerateDeps, input: GenerateInput, files: FileUse): ChatModel {
  const model = input.models.answering.billTo(input.answer.account)
  if (isOffline(model)) return model
  const both = wrapModel(model, async (options) => {
    try {
      return await model.doStream(files.isTooExpensive ? { ...options, prompt: withoutFiles(options.prompt) } : options)
    } catch (error) {
      if (!(error instanceof ModelCallError) || error.fault !== 'ceiling') throw error
      if (!files.isTooExpensive && hasFiles(options.prompt)) {
        files.isTooExpensive = true
        return both.doStream(options)
      }
      return offlineModel.doStream({ ...options, prompt: await handOver(input, options.prompt, options.abortSignal) })
    }
  })
  return both
}

/** Records why the offline model takes over, and adds the term counts that it needs. */
async function handOver(
  { answer, search, onWork }: GenerateInput,
  prompt: ChatPrompt,
  signal: AbortSignal | undefined,
): Promise<ChatPrompt> {
  const { site, reader, account, log, modelQuestion } = answer
  const modelReason = account.isOverCeiling ? 'daily-cost-reached' : 'answer-cost-reached'
  onWork({ modelReason })
  log.info({ siteId: site.id, reason: modelReason }, 'site-cost-reached')
  const query = toSearchQuery(search.query, modelQuestion, reader)
  return addTermCounts(prompt, search.callId, search.termCounts ?? (await site.index.countTerms(query, signal)))
}

function isSpent({ account, startedAtMs }: PreparedAnswer, { usage }: LoopUse, nowMs: number): boolean {
  return (
    usage.inputTokens + usage.outputTokens >= answerBounds.totalTokens ||
    account.isHalfSpent ||
    nowMs - startedAtMs >= answerBounds.toolTimeMs
  )
}
