import type { Clock } from '../../base/clock.ts'
import type { TokenUsage } from '../../contract/answer-event.ts'
import type { ChatModel, ChatPrompt } from '../../models/chat-model.ts'
import { generateByStreaming } from '../../models/calls/generate-by-streaming.ts'
import { ModelCallError } from '../../models/calls/model-call-error.ts'
import { type LoopEnd, type LoopUse, runToolLoop } from '../../models/loop/run-tool-loop.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import { answerBounds } from '../answer-bounds.ts'
import { type AnswerModels, isOffline } from '../answer-models.ts'
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
}

interface GenerateInput {
  answer: PreparedAnswer
  gated: GatedAnswer
  models: AnswerModels
  search: MadeSearch
  tools: readonly ToolDefinition[]
  onWork(change: Partial<ModelWork>): void
}

/** Lets the model answer through the gate, with tools, within the bounds of one answer. */
export async function generateAnswer(
  deps: GenerateDeps,
  input: GenerateInput,
  signal: AbortSignal,
): Promise<Pick<LoopEnd, 'finishReason' | 'claim'>> {
  const { answer, gated, search, tools, onWork } = input
  const { site, settings, modelQuestion: question, log } = answer
  const { finishReason, claim, modelId } = await runToolLoop({
    model: openModel(deps, input),
    instructions: buildInstructions(describeSite(site, settings, question)),
    messages: [...buildConversation(question), ...toToolMessages(search)],
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
  return { finishReason, claim }
}

/** The answering model, paid for by the site; the offline model takes over for calls that could exceed a ceiling. */
function openModel({ offlineModel }: GenerateDeps, input: GenerateInput): ChatModel {
  const model = input.models.answering.billTo(input.answer.account)
  if (isOffline(model)) return model
  const both: ChatModel = {
    ...model,
    doGenerate: (options) => generateByStreaming(both, options),
    async doStream(options) {
      try {
        return await model.doStream(options)
      } catch (error) {
        if (!(error instanceof ModelCallError) || error.fault !== 'ceiling') throw error
        return offlineModel.doStream({ ...options, prompt: await handOver(input, options.prompt, options.abortSignal) })
      }
    },
  }
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
