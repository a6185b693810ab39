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
}

export interface RanCall {
  call: LanguageModelV4ToolCall
  outcome: ToolOutcome
}

const toolTimeoutMsDefault = 30_000

/** Runs the calls of a step in parallel, and emits their results in the order of the calls. */
export async function runToolCalls(
  input: RunToolCallsInput,
  calls: readonly LanguageModelV4ToolCall[],
): Promise<RanCall[]> {
  const { tools, emit, signal, maxToolCalls = Infinity, toolTimeoutMs = toolTimeoutMsDefault, onToolError } = input
  for (const { toolCallId, toolName, input: json } of calls) {
    await emit({ type: 'tool-called', callId: toolCallId, toolName, input: toJsonObject(json) })
  }
  const ran = await Promise.all(
    calls.map(async (call, index) => ({
      call,
      outcome:
        index < maxToolCalls
          ? await runTool({ call, tools, timeoutMs: toolTimeoutMs, signal, onError: onToolError })
          : refuseCall(maxToolCalls),
    })),
  )
  for (const { call, outcome } of ran) await emit(toToolEvent(call.toolCallId, outcome))
  return ran
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

function toToolResultPart({ call: { toolCallId, toolName }, outcome }: RanCall) {
  const output =
    outcome.type === 'returned'
      ? ({ type: 'json', value: outcome.output } as const)
      : ({ type: 'error-text', value: outcome.message } as const)
  return { type: 'tool-result', toolCallId, toolName, output } as const
}
