import type { EmitAnswerEvent, FinishReason, TokenUsage } from '../../contract/answer-event.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { ChatPrompt } from '../chat-model.ts'
import type { LoopEvent } from './loop-event.ts'
import { ModelStep } from './model-step.ts'
import type { ToolOutcome } from './run-tool.ts'
import { type RanCall, runToolCalls, type RunToolCallsInput, toJsonObject, toToolMessage } from './run-tool-calls.ts'
import { streamStep, type StreamStepInput } from './stream-step.ts'
import { traceModelCall } from './trace-model-call.ts'

/** What the steps of a loop have used so far, all together. */
export interface LoopUse {
  steps: number
  usage: TokenUsage
  /** US dollars; null when the price of one of them is not known. */
  costUsd: number | null
}

/** The result of a loop. */
export interface LoopEnd extends LoopUse {
  finishReason: FinishReason
  /** Of all steps together, as the reader saw it. */
  text: string
  /** Whether the model says that it has an answer; null when it says nothing. Only the offline model does. */
  isAnswered: boolean | null
  /** `provider/model` that gave the last step, which may be a fallback; null when the model does not say. */
  modelId: string | null
}

/** One call of the model with the tools that it called. */
export interface LoopStep {
  /** What the step adds to the conversation: what the model said and called, then what the tools returned. */
  messages: ChatPrompt
  text: string
  calls: readonly { toolName: string; input: JsonValue; outcome: ToolOutcome }[]
  /** Of this step alone, and its cost in US dollars; null when its price is not known. */
  usage: TokenUsage
  costUsd: number | null
  /** Why a built-in model cannot do the task at all, or null. */
  refusal: string | null
}

export interface RunToolLoopInput extends StreamStepInput, RunToolCallsInput {
  /** The conversation; the newest question is its last user message. */
  messages: ChatPrompt
  /** Called with everything that happens, in order. */
  emit: EmitAnswerEvent<LoopEvent>
  /** Most calls of the model, at least 1. In the last one it gets no tools. */
  maxSteps: number
  /** Of one call of the model. */
  maxOutputTokens?: number
  /** Of all calls together; `maxOutputTokens` of it are kept for the last call. Needs `maxOutputTokens`. */
  totalOutputTokens?: number
  /** Called after every call of the model, even if a later one fails. */
  onStep?: (used: LoopUse) => void
  /** Called before each further call: true makes it the last one, in which the model gets no tools. */
  isSpent?: (used: LoopUse) => boolean
  /**
   * Called and awaited after the tools of each step have run. `end` ends the loop there, even if the model has called
   * tools; so does an error.
   */
  onStepEnd?: (step: LoopStep) => Promise<'go-on' | 'end'>
}

/** With less, another step before the last is of no use. */
const outputTokensMin = 500

/**
 * Lets a model answer, runs the tools that it calls, and goes on until it calls none, `maxSteps` is reached or
 * `isSpent` says so.
 *
 * A loop of our own over `doStream`, because the AI SDK's own costs ten times more per piece of text. An answer is
 * never empty: when the model ends without text, a sentence says so.
 *
 * @throws {ModelFailureError} when the model fails, before its first word or in the middle.
 * @throws The reason of `signal` when that aborts, in whatever the loop waits for.
 */
export async function runToolLoop(input: RunToolLoopInput): Promise<LoopEnd> {
  const { maxSteps, emit } = input
  if (maxSteps < 1) throw new RangeError(`maxSteps is ${maxSteps}. It must be at least 1.`)
  const transcript = [...input.messages]
  let used: LoopUse = { steps: 0, usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 }
  let text = ''
  let written = 0
  for (let index = 0; ; index++) {
    const outputLeft = sharedOutput(input, written)
    const isLast =
      index === maxSteps - 1 || (index > 0 && (outputLeft < outputTokensMin || input.isSpent?.(used) === true))
    const step = new ModelStep(`s${index}`)
    const call = { step, transcript, isLast, ...boundOutput(input, outputLeft, isLast), isPartial: text !== '' }
    await emit({ type: 'step-started' })
    await traceModelCall({ ...input, ...call }, () => streamStep(input, call))
    used = addUse(used, step)
    written += Math.max(step.usage.outputTokens, Math.floor(step.leastTokens))
    input.onStep?.(used)
    const calls = isLast ? [] : step.toolCalls
    const hasCalls = calls.length > 0
    if (!hasCalls && step.text.trim() === '') await saySomething(step, emit)
    const ran = await runToolCalls(input, calls)
    text += step.text
    const finishReason = toFinishReason(step, hasCalls)
    await emit({ type: 'step-finished', finishReason, usage: step.usage })
    const described = describeStep(step, ran)
    transcript.push(...described.messages)
    const next = await input.onStepEnd?.(described)
    if (hasCalls && next !== 'end') continue
    const { isAnswered, modelId } = step.notes
    return { ...used, finishReason, text, isAnswered, modelId }
  }
}

/** @returns Output tokens that are left to the calls before the last. */
function sharedOutput({ totalOutputTokens, maxOutputTokens }: RunToolLoopInput, written: number): number {
  if (totalOutputTokens === undefined || maxOutputTokens === undefined) return Infinity
  return totalOutputTokens - maxOutputTokens - written
}

function boundOutput({ maxOutputTokens }: RunToolLoopInput, outputLeft: number, isLast: boolean) {
  if (maxOutputTokens === undefined) return {}
  return { maxOutputTokens: isLast ? maxOutputTokens : Math.min(outputLeft, maxOutputTokens) }
}

function describeStep({ content, text, usage, notes }: ModelStep, ran: readonly RanCall[]): LoopStep {
  const said: ChatPrompt = content.length === 0 ? [] : [{ role: 'assistant', content }]
  return {
    messages: ran.length === 0 ? said : [...said, toToolMessage(ran)],
    text,
    calls: ran.map(({ call, outcome }) => ({ toolName: call.toolName, input: toJsonObject(call.input), outcome })),
    usage,
    costUsd: notes.costUsd,
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
  if (finishReason === 'content-filter') return 'The model declined to answer this. Ask in other words.'
  if (finishReason === 'length') {
    return 'The model used up all of its tokens before it said a word. Ask a shorter question; tell the operator if it goes on.'
  }
  return 'The model gave no answer to this. Ask again in other words.'
}

/** Calls that a model made although it was given no tools are not run, so `tool-calls` would promise another step. */
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
