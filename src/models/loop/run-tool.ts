import type { LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { z } from 'zod'
import { rejectOnAbort } from '../../base/reject-on-abort.ts'
import { AppError } from '../../contract/app-error.ts'
import type { JsonValue } from '../../contract/json.ts'
import { toStorableJson, toStorableText } from '../../contract/storable-json.ts'
import { runInSpan } from '../../telemetry/work-context.ts'
import { coerceInput } from './coerce-input.ts'
import { parseToolInput } from './model-step.ts'
import type { ToolDefinition } from './tool-definition.ts'

/** The outcome of a tool call. The model sees a failure and may correct it. */
export type ToolOutcome = { type: 'returned'; output: JsonValue } | { type: 'failed'; message: string }

export interface RunToolInput {
  call: LanguageModelV4ToolCall
  tools: readonly ToolDefinition[]
  timeoutMs: number
  signal: AbortSignal
  /** What to do about a call that was cut at the model's output limit; null if it was not cut. */
  cutAdvice?: string | null
  /** Called with errors whose text is hidden from the model, because they are bugs or outages. */
  onError?: ((toolName: string, error: unknown) => void) | undefined
}

/**
 * Runs one tool call. Rejects only when `signal` aborts; every other failure is an outcome, because the model can often
 * correct its next call.
 */
export function runTool(input: RunToolInput): Promise<ToolOutcome> {
  // The name comes from a model and may be any text.
  const name = input.tools.find((tool) => tool.name === input.call.toolName)?.name ?? 'unknown'
  const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name }
  return runInSpan(`execute_tool ${name}`, { attributes }, async (span) => {
    const outcome = await runToolCall(input)
    if (outcome.type === 'failed') span?.fail('tool_failed')
    return outcome
  })
}

async function runToolCall(input: RunToolInput): Promise<ToolOutcome> {
  const { call, tools, signal } = input
  const tool = tools.find(({ name }) => name === call.toolName)
  if (!tool)
    return fail(`There is no tool "${call.toolName}". Use one of: ${tools.map(({ name }) => name).join(', ')}.`)
  const given = parseToolInput(call.input)
  const taken = given && coerceInput(tool.inputSchema, given)
  const { cutAdvice = null } = input
  const isCut = cutAdvice !== null && (taken === null || !tool.inputSchema.safeParse(taken).success)
  if (isCut) {
    return fail(
      `Your output was cut at its limit in the middle of this call, so "${call.toolName}" did not run. ${cutAdvice}`,
    )
  }
  if (taken === null) return fail(explainUnreadable(call))
  const parsed = tool.inputSchema.safeParse(taken)
  if (!parsed.success) return fail(explainMisfit(tool, parsed.error))
  const timeout = AbortSignal.timeout(input.timeoutMs)
  const bounded = AbortSignal.any([signal, timeout])
  try {
    const output = await rejectOnAbort(tool.run(parsed.data, bounded), bounded)
    return { type: 'returned', output: toStorableJson(limitResult(output, tool.resultCharsMax)) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AppError) return fail(error.message)
    input.onError?.(call.toolName, error)
    if (timeout.aborted) return fail(`"${call.toolName}" took longer than ${input.timeoutMs} ms and was stopped.`)
    return fail(`"${call.toolName}" failed. Go on without it.`)
  }
}

/** Input that begins as an object and does not end was cut, most often at the limit of the model's output. */
function explainUnreadable({ toolName, input }: LanguageModelV4ToolCall): string {
  const text = input.trim()
  if (!text.startsWith('{') || text.endsWith('}')) {
    return `The input of "${toolName}" is not a JSON object. Call it again with one.`
  }
  return `The input of "${toolName}" was cut off after ${text.length} characters, so nothing was done. Send less at once: for a long file, write its first part and add the others one by one.`
}

function explainMisfit({ name, inputSchema }: ToolDefinition, error: z.ZodError): string {
  const faults = z.prettifyError(error).replaceAll(/\s*\n\s*/g, ' ')
  return `The input of "${name}" does not fit: ${faults}. Call it again with: ${Object.keys(inputSchema.shape).join(', ')}.`
}

function fail(message: string): ToolOutcome {
  return { type: 'failed', message: toStorableText(message) }
}

/**
 * Truncates a result for the model: a list to its first items, because results are ordered best first; anything else to
 * the beginning of its JSON, as text.
 */
function limitResult(output: JsonValue, charsMax: number): JsonValue {
  const json = JSON.stringify(output)
  if (json.length <= charsMax) return output
  if (!Array.isArray(output)) return `${json.slice(0, charsMax)}… (cut)`
  const kept: JsonValue[] = []
  let chars = 2
  for (const item of output) {
    chars += JSON.stringify(item).length + 1
    if (chars > charsMax) break
    kept.push(item)
  }
  return kept
}
