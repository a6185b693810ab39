import type { LanguageModelV4CallOptions, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { rejectOnAbort } from '../../base/reject-on-abort.ts'
import type { AnswerEvent, EmitAnswerEvent, FinishReason, TokenUsage } from '../../contract/answer-event.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { ChatModel, ChatPrompt, ChatStreamPart } from '../chat-model.ts'
import { describeTool } from './describe-tool.ts'
import { ModelCallError, type ModelFault } from '../calls/model-call-error.ts'
import { ModelStep, parseToolInput, type PieceEvent } from './model-step.ts'
import { PartCleaner } from '../calls/part-cleaner.ts'
import { runTool, type ToolOutcome } from './run-tool.ts'
import type { ToolDefinition } from './tool-definition.ts'
import { traceModelCall } from './trace-model-call.ts'

/** What happens between the start and the end of an answer, as far as the model and its tools make it happen. */
export type LoopEvent = Exclude<
  AnswerEvent,
  { type: 'answer-started' | 'answer-finished' | 'answer-failed' | 'source-cited' }
>

/** What the steps of a loop have used so far, all together. */
export interface LoopUse {
  steps: number
  usage: TokenUsage
  /** US dollars; null when the price of one of them is not known. */
  costUsd: number | null
}

/** What a loop came to. */
export interface LoopEnd extends LoopUse {
  finishReason: FinishReason
  /** Of all steps together, as the reader saw it. */
  text: string
  /** What the model says of its own answer, null when it says nothing. Only the offline model does. */
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
  /** What a model says that cannot do the task at all; only a built-in one says so. */
  refusal: string | null
}

export interface RunToolLoopInput {
  model: ChatModel
  instructions: string
  /** The conversation; the newest question is its last user message. */
  messages: ChatPrompt
  tools: readonly ToolDefinition[]
  /** Told of everything that happens, in order. */
  emit: EmitAnswerEvent<LoopEvent>
  /** Most calls of the model, at least 1. In the last one it gets no tools. */
  maxSteps: number
  /** Of one call of the model. */
  maxOutputTokens?: number
  /** Of all calls together, those before the last sharing what that may not need; with `maxOutputTokens`. */
  totalOutputTokens?: number
  /** Tool calls that run in one step. The model is told of further ones that they did not run. Unbounded unless given. */
  maxToolCalls?: number
  /** Told what was used after every call of the model, also when a later one fails. */
  onStep?: (used: LoopUse) => void
  /** Asked before each further call whether it is to be the last one, in which the model gets no tools. */
  isSpent?: (used: LoopUse) => boolean
  /**
   * Told of every step after its tools have run, and waited for. `end` ends the loop there, also where the model has
   * called tools; what is thrown ends it as well.
   */
  onStepEnd?: (step: LoopStep) => Promise<'go-on' | 'end'>
  signal: AbortSignal
  /** Longest time between two parts of the model's stream; 900,000 unless given, because a resilient model has finer limits. */
  modelIdleMs?: number
  /** Longest time of one tool; 30,000 unless given. */
  toolTimeoutMs?: number
  /** Told of failures of tools whose text neither the model nor the reader gets to see. */
  onToolError?: (toolName: string, error: unknown) => void
}

/**
 * The model could not be asked, or its answer broke off. The message is for readers; the cause is for the log and may
 * hold what the provider sent.
 */
export class ModelFailureError extends Error {
  override readonly name = 'ModelFailureError'
  /** Whether a part of the answer had been given when it failed. */
  readonly isPartial: boolean

  constructor(message: string, options: { cause: unknown; isPartial: boolean }) {
    super(message, { cause: options.cause })
    this.isPartial = options.isPartial
  }
}

const modelIdleMsDefault = 900_000
const toolTimeoutMsDefault = 30_000
/** With less, another step before the last is of no use. */
const outputTokensMin = 500
const lastStepInstruction =
  'No tool can be called any more. Answer now with what is in this conversation, and say what it does not hold.'

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
    const options = { step, transcript, isLast, ...boundOutput(input, outputLeft, isLast), isPartial: text !== '' }
    await emit({ type: 'step-started' })
    await traceModelCall({ ...input, ...options }, () => streamStep(input, options))
    used = addUse(used, step)
    written += Math.max(step.usage.outputTokens, Math.floor(step.leastTokens))
    input.onStep?.(used)
    const calls = isLast ? [] : step.toolCalls
    const hasCalls = calls.length > 0
    if (!hasCalls && step.text.trim() === '') await saySomething(step, emit)
    const before = transcript.length
    const ran = hasCalls ? await runCalls(input, options, calls) : []
    text += step.text
    const finishReason = toFinishReason(step, hasCalls)
    await emit({ type: 'step-finished', finishReason, usage: step.usage })
    const next = await input.onStepEnd?.(describeStep(step, transcript.slice(before), ran))
    if (hasCalls && next !== 'end') continue
    const said = { isAnswered: readVerdict(step), modelId: readModelId(step) }
    return { ...used, finishReason, text, ...said }
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

interface StepInput {
  step: ModelStep
  transcript: ChatPrompt
  isLast: boolean
  maxOutputTokens?: number
  /** Whether earlier steps gave a part of the answer. */
  isPartial: boolean
}

/** One call of the model, part by part, straight from its stream. */
async function streamStep(input: RunToolLoopInput, options: StepInput): Promise<void> {
  const { step, isPartial } = options
  const idleMs = input.modelIdleMs ?? modelIdleMsDefault
  const idle = new AbortController()
  const signal = AbortSignal.any([input.signal, idle.signal])
  const timer = setTimeout(() => idle.abort(new Error(`The model sent nothing for ${idleMs} ms.`)), idleMs)
  const events: PieceEvent[] = []
  const cleaner = new PartCleaner()
  let reader: ReadableStreamDefaultReader<ChatStreamPart> | undefined
  // Read for every part, where the getter of a signal made of others costs more than all else that is done with one.
  let isAborted = signal.aborted
  const letGo = () => {
    isAborted = signal.aborted
    reader?.cancel(signal.reason).catch(() => undefined)
  }
  // Ends a pending read, also when the model overlooks its signal.
  signal.addEventListener('abort', letGo, { once: true })
  try {
    reader = (await openStream(input.model, buildCall(input, options, signal), signal)).getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (isAborted) signal.throwIfAborted()
      timer.refresh()
      for (const part of cleaner.clean(next.value)) step.accept(part, events)
      if (step.error !== null) throw step.error.cause
      for (const event of events) {
        const writable = input.emit(event)
        if (writable !== undefined) await writable
      }
      events.length = 0
    }
    signal.throwIfAborted()
    if (step.finishReason === null) throw new Error('The stream of the model ended without a finish part.')
    if (step.finishReason === 'error') throw new Error('The model finished with an error.')
  } catch (error) {
    input.signal.throwIfAborted()
    throw toModelFailure(error, isPartial || step.text !== '')
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', letGo)
    letGo()
  }
}

async function openStream(model: ChatModel, call: LanguageModelV4CallOptions, signal: AbortSignal) {
  const opening = Promise.resolve(model.doStream(call))
  try {
    return (await rejectOnAbort(opening, signal)).stream
  } catch (error) {
    // One that opens after all would keep its connection.
    opening.then(({ stream }) => stream.cancel()).catch(() => undefined)
    throw error
  }
}

/** Tools stay listed in the last step: providers refuse a conversation that holds calls of tools they do not know. */
function buildCall(
  input: RunToolLoopInput,
  { transcript, isLast, maxOutputTokens }: StepInput,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  const isToldToEnd = isLast && input.tools.length > 0
  const content = isToldToEnd ? `${input.instructions}\n\n${lastStepInstruction}` : input.instructions
  return {
    prompt: [{ role: 'system', content }, ...transcript],
    abortSignal,
    ...(input.tools.length > 0 && {
      tools: input.tools.map(describeTool),
      toolChoice: { type: isLast ? 'none' : 'auto' },
    }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  }
}

/** Runs the calls of a step side by side and tells their results in the order of the calls. */
async function runCalls(
  input: RunToolLoopInput,
  { step, transcript }: StepInput,
  calls: readonly LanguageModelV4ToolCall[],
): Promise<RanCall[]> {
  const { maxToolCalls = Infinity } = input
  for (const { toolCallId, toolName, input: json } of calls) {
    await input.emit({ type: 'tool-called', callId: toolCallId, toolName, input: toJsonObject(json) })
  }
  const outcomes = await Promise.all(
    calls.map((call, index) =>
      index >= maxToolCalls
        ? refuseCall(maxToolCalls)
        : runTool({
            call,
            tools: input.tools,
            timeoutMs: input.toolTimeoutMs ?? toolTimeoutMsDefault,
            signal: input.signal,
            onError: input.onToolError,
          }),
    ),
  )
  const results = calls.map((call, index) => ({ call, outcome: outcomes[index] as ToolOutcome }))
  for (const { call, outcome } of results) await input.emit(toToolEvent(call.toolCallId, outcome))
  transcript.push({ role: 'assistant', content: step.content })
  transcript.push({ role: 'tool', content: results.map(({ call, outcome }) => toToolResultPart(call, outcome)) })
  return results
}

async function refuseCall(callsMax: number): Promise<ToolOutcome> {
  const message = `This call did not run: at most ${callsMax} calls run in one step. Make it again in the next step if it is still needed.`
  return { type: 'failed', message }
}

interface RanCall {
  call: LanguageModelV4ToolCall
  outcome: ToolOutcome
}

/** A step without calls leaves the conversation as it was, because it ends the loop; here it counts all the same. */
function describeStep(step: ModelStep, added: ChatPrompt, ran: readonly RanCall[]): LoopStep {
  const said: ChatPrompt = step.content.length === 0 ? [] : [{ role: 'assistant', content: step.content }]
  const refusal = step.metadata?.['docent']?.['refusal']
  return {
    messages: added.length > 0 ? added : said,
    text: step.text,
    calls: ran.map(({ call, outcome }) => ({ toolName: call.toolName, input: toJsonObject(call.input), outcome })),
    usage: step.usage,
    costUsd: addCost(0, step),
    refusal: typeof refusal === 'string' ? refusal : null,
  }
}

function toJsonObject(json: string): { [key: string]: JsonValue } {
  return parseToolInput(json) ?? {}
}

function toToolEvent(callId: string, outcome: ToolOutcome): LoopEvent {
  return outcome.type === 'returned'
    ? { type: 'tool-returned', callId, output: outcome.output }
    : { type: 'tool-failed', callId, message: outcome.message }
}

function toToolResultPart({ toolCallId, toolName }: LanguageModelV4ToolCall, outcome: ToolOutcome) {
  const output =
    outcome.type === 'returned'
      ? ({ type: 'json', value: outcome.output } as const)
      : ({ type: 'error-text', value: outcome.message } as const)
  return { type: 'tool-result', toolCallId, toolName, output } as const
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

function readVerdict({ metadata }: ModelStep): boolean | null {
  const answered = metadata?.['docent']?.['answered']
  return typeof answered === 'boolean' ? answered : null
}

/** A resilient model names the one that answered. */
function readModelId({ metadata }: ModelStep): string | null {
  const modelId = metadata?.['docent']?.['model']
  return typeof modelId === 'string' ? modelId : null
}

function addUse({ steps, usage, costUsd }: LoopUse, step: ModelStep): LoopUse {
  return {
    steps: steps + 1,
    usage: {
      inputTokens: usage.inputTokens + step.usage.inputTokens,
      outputTokens: usage.outputTokens + step.usage.outputTokens,
    },
    costUsd: addCost(costUsd, step),
  }
}

/** A sum that lacks a part would be too low, so there is none then. */
function addCost(sum: number | null, { metadata }: ModelStep): number | null {
  const cost = metadata?.['docent']?.['costUsd']
  return sum === null || typeof cost !== 'number' ? null : sum + cost
}

function toModelFailure(cause: unknown, isPartial: boolean): ModelFailureError {
  const known = cause instanceof ModelCallError && !isPartial ? (sentences[cause.fault] ?? null) : null
  const message = known ?? describeFailure(readStatus(cause), isPartial)
  return new ModelFailureError(message, { cause, isPartial })
}

/** Faults that a status does not tell, for readers. */
const sentences: Partial<Record<ModelFault, string>> = {
  timeout: 'The model took too long to answer. Ask again in a minute; tell the operator if it goes on.',
  quota: 'The model of this service has used up what was paid for. Tell its operator.',
  ceiling: 'The next model call could exceed the spending limit.',
  'rate-limit': 'The model is asked too often at the moment. Ask again in a minute.',
  'too-long': 'This conversation is too long for the model. Start a new one, or ask a shorter question.',
  'unknown-model': 'The provider does not know the model of this service. Tell its operator.',
}

function describeFailure(status: number | null, isPartial: boolean): string {
  if (isPartial) return 'The answer broke off, because the model failed. Ask again.'
  if (status === 429) return 'The model is asked too often at the moment. Ask again in a minute.'
  if (status === 401 || status === 403) return 'The model refused the key of this service. Tell its operator.'
  return 'The model could not be reached or failed. Ask again in a minute; tell the operator if it goes on.'
}

/** Provider packages put the HTTP status of a refused call there. */
function readStatus(cause: unknown): number | null {
  const hasStatus = typeof cause === 'object' && cause !== null && 'statusCode' in cause
  return hasStatus && typeof cause.statusCode === 'number' ? cause.statusCode : null
}
