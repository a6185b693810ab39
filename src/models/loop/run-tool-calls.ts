import type { LanguageModelV4ToolCall } from '@ai-sdk/provider'
import type { EmitAnswerEvent } from '../../contract/answer-event.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { ChatPrompt } from '../chat-model.ts'
import type { LoopEvent } from './loop-event.ts'
import { parseToolInput } from './model-step.ts'
import { runTool, type ToolOutcome } from './run-tool.ts'
import type { ToolDefinition } from './tool-definition.ts'

export interface RunToolCallsInput {
  tools: readonly ToolDefinition[]
  emit: EmitAnswerEvent<LoopEvent>
  signal: AbortSignal
  /** Most tool calls to run in one step; the model is told that further ones did not run. Unbounded by default. */
  maxToolCalls?: number
  /** Timeout of one tool; 30,000 by default. */
  toolTimeoutMs?: number
  /** Called with tool failures whose text neither the model nor the reader sees. */
  onToolError?: (toolName: string, error: unknown) => void
  /** Most characters of all results of a step together; unbounded by default. */
  resultCharsMax?: number
  /** What a model does whose output was cut in the middle of a call; a sentence. */
  cutAdvice?: string
  /** Called with each call and its outcome, in order. What it returns is added to the result. */
  noteResult?: (call: { toolName: string; input: JsonValue }, outcome: ToolOutcome) => string | null
}

export interface RanCall {
  call: LanguageModelV4ToolCall
  outcome: ToolOutcome
  /** Added to the result. */
  note: string | null
}

const toolTimeoutMsDefault = 30_000

const cutAdviceDefault = 'Call it again with less.'

/**
 * Runs the calls of a step in parallel, and emits their results in the order of the calls.
 *
 * @param isCut Whether the output of the model was cut at its limit, and with it perhaps the last call.
 */
export async function runToolCalls(
  input: RunToolCallsInput,
  calls: readonly LanguageModelV4ToolCall[],
  isCut = false,
): Promise<RanCall[]> {
  const { tools, emit, signal, maxToolCalls = Infinity, toolTimeoutMs = toolTimeoutMsDefault, onToolError } = input
  const { cutAdvice = cutAdviceDefault, resultCharsMax = Infinity, noteResult } = input
  for (const { toolCallId, toolName, input: json } of calls) {
    await emit({ type: 'tool-called', callId: toolCallId, toolName, input: toJsonObject(json) })
  }
  const outcomes = await Promise.all(
    calls.map(async (call, index) => {
      if (index >= maxToolCalls) return refuseCall(maxToolCalls)
      const cut = isCut && index === calls.length - 1 ? cutAdvice : null
      return runTool({ call, tools, timeoutMs: toolTimeoutMs, signal, cutAdvice: cut, onError: onToolError })
    }),
  )
  const ran = calls.map((call, index): RanCall => {
    const outcome = outcomes[index] ?? refuseCall(maxToolCalls)
    const note = noteResult?.({ toolName: call.toolName, input: toJsonObject(call.input) }, outcome) ?? null
    return { call, outcome, note }
  })
  for (const { call, outcome } of ran) await emit(toToolEvent(call.toolCallId, outcome))
  return shareResultSpace(ran, resultCharsMax)
}

/**
 * Cuts the longest results so that all of a step fit; short ones stay whole.
 *
 * @param charsMax Of the JSON of all results together.
 */
function shareResultSpace(ran: readonly RanCall[], charsMax: number): RanCall[] {
  const sizes = ran.map(({ outcome }) => (outcome.type === 'returned' ? JSON.stringify(outcome.output).length : 0))
  let left = charsMax
  let share = Infinity
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    share = Math.floor(left / (sizes.length - index))
    if (size > share) break
    left -= size
    share = Infinity
  }
  return ran.map((each, index) => ((sizes[index] ?? 0) > share ? cutResult(each, share) : each))
}

function cutResult({ call, outcome, note }: RanCall, charsMax: number): RanCall {
  if (outcome.type === 'failed') return { call, outcome, note }
  const cut =
    'This result is cut, because all results of one step have a limit. Make fewer calls at once, or ask for less.'
  const output = `${JSON.stringify(outcome.output).slice(0, charsMax).toWellFormed()}…`
  return { call, outcome: { type: 'returned', output }, note: note === null ? cut : `${cut} ${note}` }
}

/** The results as the next model call receives them. */
export function toToolMessage(ran: readonly RanCall[]): ChatPrompt[number] {
  return { role: 'tool', content: ran.map(toToolResultPart) }
}

export function toJsonObject(json: string): { [key: string]: JsonValue } {
  return parseToolInput(json) ?? {}
}

function refuseCall(callsMax: number): ToolOutcome {
  const message = `This call did not run: at most ${callsMax} calls run in one step. Make it again in the next step if it is still needed.`
  return { type: 'failed', message }
}

function toToolEvent(callId: string, outcome: ToolOutcome): LoopEvent {
  return outcome.type === 'returned'
    ? { type: 'tool-returned', callId, output: outcome.output }
    : { type: 'tool-failed', callId, message: outcome.message }
}

function toToolResultPart({ call: { toolCallId, toolName }, outcome, note }: RanCall) {
  return { type: 'tool-result', toolCallId, toolName, output: toResultOutput(outcome, note) } as const
}

function toResultOutput(outcome: ToolOutcome, note: string | null) {
  if (outcome.type === 'failed') {
    return { type: 'error-text', value: note === null ? outcome.message : `${outcome.message} ${note}` } as const
  }
  if (note === null) return { type: 'json', value: outcome.output } as const
  const text = typeof outcome.output === 'string' ? outcome.output : JSON.stringify(outcome.output)
  return { type: 'text', value: `${text}\n\n${note}` } as const
}
