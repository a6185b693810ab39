import type { EmitAnswerEvent, FinishReason, TokenUsage } from '../../contract/answer-event.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { AnswerVerdict } from '../../contract/verdicts.ts'
import type { PromptCount } from '../calls/counted-prompt.ts'
import type { ChatPrompt } from '../chat-model.ts'
import type { LoopEvent } from './loop-event.ts'
import { ModelCallError } from '../calls/model-call-error.ts'
import { ModelFailureError } from './model-failure-error.ts'
import { ModelStep } from './model-step.ts'
import type { ToolOutcome } from './run-tool.ts'
import { type RanCall, runToolCalls, type RunToolCallsInput, toJsonObject, toToolMessage } from './run-tool-calls.ts'
import { streamStep, type StreamStepInput } from './stream-step.ts'
import { traceModelCall } from './trace-model-call.ts'

/** Total use of a loop's steps so far. */
export interface LoopUse {
  steps: number
  usage: TokenUsage
  /** US dollars; null if the price of any step is unknown. */
  costUsd: number | null
}

/** The result of a loop. */
export interface LoopEnd extends LoopUse {
  finishReason: FinishReason
  /** Text of all steps together, as the reader saw it. */
  text: string
  /** Whether the model ended without a word, so that the last of the text is a sentence which says so. */
  isSilent: boolean
  /** How far the model claims to have answered; null if it says nothing. Only the offline model does. */
  claim: AnswerVerdict | null
  /** `provider/model` of the last step, which may be a fallback; null if the model does not say. */
  modelId: string | null
  /** Whether the last step was answered without the images of the question. */
  imagesRefused: boolean
}

/** One model call with the tools that it called. */
export interface LoopStep {
  /** The step's messages for the conversation: what the model said and called, then what the tools returned. */
  messages: ChatPrompt
  text: string
  calls: readonly { toolName: string; input: JsonValue; outcome: ToolOutcome }[]
  /** Of this step alone, and its cost in US dollars; null if its price is unknown. */
  usage: TokenUsage
  costUsd: number | null
  /** Input tokens read from the provider's cache. */
  cachedTokens: number
  /** Tokens weighed by what they cost, an upper bound if the provider did not count. */
  spentTokens: number
  finishReason: FinishReason
  /** Why a built-in model cannot do the task at all, or null. */
  refusal: string | null
}

export interface RunToolLoopInput extends StreamStepInput, RunToolCallsInput {
  /** The conversation; the newest question is its last user message. */
  messages: ChatPrompt
  /** Called with every event, in order. */
  emit: EmitAnswerEvent<LoopEvent>
  /** Most model calls, at least 1. The last one gets no tools. */
  maxSteps: number
  /** Limit per model call. */
  maxOutputTokens?: number
  /** Of all calls together; `maxOutputTokens` of it are reserved for the last call. Requires `maxOutputTokens`. */
  totalOutputTokens?: number
  /** Called after every model call, even if a later one fails. */
  onStep?: (used: LoopUse) => void
  /** Called before each further call; true makes it the last one, without tools. */
  isSpent?: (used: LoopUse) => boolean
  /**
   * Called and awaited after the tools of each step have run. `end` ends the loop there, even if the model called
   * tools; so does an error.
   */
  onStepEnd?: (step: LoopStep) => Promise<'go-on' | 'end'>
}

/** With fewer, another step before the last is useless. */
const outputTokensMin = 500

/**
 * Lets a model answer, runs the tools that it calls, and repeats until it calls none, `maxSteps` is reached or
 * `isSpent` says so.
 *
 * Our own loop over `doStream`, because the AI SDK's costs ten times more per chunk of text. An answer is never empty:
 * if the model ends without text, a sentence says so.
 *
 * @throws {ModelFailureError} when the model fails, before its first word or later.
 * @throws The reason of `signal` when that aborts, whatever the loop is waiting for.
 */
export async function runToolLoop(input: RunToolLoopInput): Promise<LoopEnd> {
  const { maxSteps, emit } = input
  if (maxSteps < 1) throw new RangeError(`maxSteps is ${maxSteps}. It must be at least 1.`)
  const transcript = [...input.messages]
  let used: LoopUse = { steps: 0, usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 }
  let text = ''
  let written = 0
  let counted: PromptCount | undefined
  for (let index = 0; ; index++) {
    const outputLeft = sharedOutput(input, written)
    const isLast =
      index === maxSteps - 1 || (index > 0 && (outputLeft < outputTokensMin || input.isSpent?.(used) === true))
    const step = new ModelStep(`s${index}`)
    const call = {
      step,
      transcript,
      isLast,
      counted,
      ...boundOutput(input, outputLeft, isLast),
      isPartial: text !== '',
    }
    await emit({ type: 'step-started' })
    await traceModelCall({ ...input, ...call }, () => streamStep(input, call)).catch((error: unknown) =>
      takeAsCut(input, step, error),
    )
    used = addUse(used, step)
    written += Math.max(step.usage.outputTokens, Math.floor(step.leastTokens))
    input.onStep?.(used)
    const calls = isLast ? [] : step.toolCalls
    const hasCalls = calls.length > 0
    const isSilent = !hasCalls && step.text.trim() === ''
    if (isSilent) await saySomething(step, emit)
    const ran = await runToolCalls(input, calls, step.finishReason === 'length')
    text += step.text
    const finishReason = toFinishReason(step, hasCalls)
    await emit({ type: 'step-finished', finishReason, usage: step.usage })
    const described = describeStep(step, ran, step.finishReason ?? 'other')
    counted = countPrompt(step, transcript)
    transcript.push(...described.messages)
    const next = await input.onStepEnd?.(described)
    if (hasCalls && next !== 'end') continue
    const { claim, modelId, imagesRefused } = step.notes
    return { ...used, finishReason, text, isSilent, claim, modelId, imagesRefused }
  }
}

/** Who tells the model how to write less can go on after a reply over the limits of `boundReply`. */
function takeAsCut({ cutAdvice }: RunToolLoopInput, step: ModelStep, error: unknown): void {
  const cause = error instanceof ModelFailureError ? error.cause : null
  const isOversized = cause instanceof ModelCallError && cause.fault === 'oversized'
  if (!isOversized || cutAdvice === undefined) throw error
  step.restart([])
  step.finishReason = 'length'
}

function countPrompt({ notes, usage }: ModelStep, transcript: ChatPrompt): PromptCount | undefined {
  if (notes.modelId === null || usage.inputTokens === 0) return undefined
  return { modelId: notes.modelId, messages: 1 + transcript.length, tokens: usage.inputTokens }
}

/** @returns Output tokens left for the calls before the last. */
function sharedOutput({ totalOutputTokens, maxOutputTokens }: RunToolLoopInput, written: number): number {
  if (totalOutputTokens === undefined || maxOutputTokens === undefined) return Infinity
  return totalOutputTokens - maxOutputTokens - written
}

function boundOutput({ maxOutputTokens }: RunToolLoopInput, outputLeft: number, isLast: boolean) {
  if (maxOutputTokens === undefined) return {}
  return { maxOutputTokens: isLast ? maxOutputTokens : Math.min(outputLeft, maxOutputTokens) }
}

function describeStep(
  { content, text, usage, cachedTokens, notes }: ModelStep,
  ran: readonly RanCall[],
  finishReason: FinishReason,
): LoopStep {
  const said: ChatPrompt = content.length === 0 ? [] : [{ role: 'assistant', content }]
  return {
    messages: ran.length === 0 ? said : [...said, toToolMessage(ran)],
    text,
    calls: ran.map(({ call, outcome }) => ({ toolName: call.toolName, input: toJsonObject(call.input), outcome })),
    usage,
    costUsd: notes.costUsd,
    cachedTokens,
    spentTokens: notes.spentTokens ?? usage.inputTokens + usage.outputTokens,
    finishReason,
    refusal: notes.refusal,
  }
}

async function saySomething(step: ModelStep, emit: EmitAnswerEvent<LoopEvent>): Promise<void> {
  const id = 'empty-answer'
  const text = explainEmptyAnswer(step)
  step.text += text
  await emit({ type: 'text-started', id })
  await emit({ type: 'text-delta', id, text })
  await emit({ type: 'text-ended', id })
}

function explainEmptyAnswer({ finishReason }: ModelStep): string {
  if (finishReason === 'content-filter') return 'The model declined to answer this. Try rephrasing the question.'
  if (finishReason === 'length') {
    return 'The model used up all of its tokens before it began to answer. Ask a shorter question; tell the operator if the problem persists.'
  }
  return 'The model gave no answer to this. Ask again in other words.'
}

/** Calls that a model made without having tools are not run, so `tool-calls` would promise another step. */
function toFinishReason({ finishReason }: ModelStep, hasCalls: boolean): FinishReason {
  if (hasCalls) return 'tool-calls'
  return finishReason === null || finishReason === 'tool-calls' ? 'other' : finishReason
}

function addUse({ steps, usage, costUsd }: LoopUse, { usage: added, notes }: ModelStep): LoopUse {
  return {
    steps: steps + 1,
    usage: {
      inputTokens: usage.inputTokens + added.inputTokens,
      outputTokens: usage.outputTokens + added.outputTokens,
    },
    // A sum without one of its parts would be too low.
    costUsd: costUsd === null || notes.costUsd === null ? null : costUsd + notes.costUsd,
  }
}
