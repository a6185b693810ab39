import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { EmitAnswerEvent } from '../../contract/answer-event.ts'
import { createClosingMessage } from '../closing-message.ts'
import { attachPromptCount, type PromptCount } from '../calls/counted-prompt.ts'
import { openStream } from '../calls/open-stream.ts'
import { acceptsRestart, isRestarted } from '../calls/restarting-stream.ts'
import { PartCleaner } from '../calls/part-cleaner.ts'
import { type PartReader, readParts } from '../calls/part-stream.ts'
import type { ChatModel, ChatPrompt } from '../chat-model.ts'
import { describeTool } from './describe-tool.ts'
import type { LoopEvent } from './loop-event.ts'
import { toModelFailure } from './model-failure-error.ts'
import type { ModelStep, PieceEvent } from './model-step.ts'
import type { ToolDefinition } from './tool-definition.ts'

export interface StreamStepInput {
  model: ChatModel
  instructions: string
  tools: readonly ToolDefinition[]
  emit: EmitAnswerEvent<LoopEvent>
  signal: AbortSignal
  /** Whether `step-restarted` may be emitted, when another model takes over in the middle of a step. */
  acceptsRestart?: boolean
  /**
   * Longest time between two parts of the model's stream; 900,000 by default, because a resilient model has finer
   * limits.
   */
  modelIdleMs?: number
  /** Appended to the last call, which may not use tools. By default: answer now with what is known. */
  closing?: string
}

export interface StepCall {
  /** Filled by the call. */
  step: ModelStep
  transcript: ChatPrompt
  isLast: boolean
  maxOutputTokens?: number
  /** Whether earlier steps sent a part of the answer. */
  isPartial: boolean
  /** What the provider counted of the prompt's beginning in the step before. */
  counted?: PromptCount | undefined
}

const modelIdleMsDefault = 900_000
const lastStepInstruction =
  'No tool can be called any more. Answer now with what is in this conversation, and say what it does not hold.'

/**
 * Makes one model call and emits its pieces straight from its stream.
 *
 * @throws {ModelFailureError}
 * @throws The reason of `input.signal` when that aborts.
 */
export async function streamStep(input: StreamStepInput, call: StepCall): Promise<void> {
  const { step, isPartial } = call
  const idleMs = input.modelIdleMs ?? modelIdleMsDefault
  const idle = new AbortController()
  const signal = AbortSignal.any([input.signal, idle.signal])
  const timer = setTimeout(() => idle.abort(new Error(`The model sent nothing for ${idleMs} ms.`)), idleMs)
  const events: PieceEvent[] = []
  let cleaner = new PartCleaner()
  let reader: PartReader | undefined
  // Checked for every part; reading `aborted` of a combined signal would cost more than the rest of the loop.
  let isAborted = signal.aborted
  const release = () => {
    isAborted = signal.aborted
    reader?.cancel(signal.reason).catch(() => undefined)
  }
  // Ends a pending read even if the model ignores its signal.
  signal.addEventListener('abort', release, { once: true })
  try {
    reader = readParts(await openStream(input.model, buildCall(input, call, signal), signal))
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (isAborted) signal.throwIfAborted()
      timer.refresh()
      if (isRestarted(next.value)) {
        cleaner = new PartCleaner()
        step.restart(events)
      } else for (const part of cleaner.clean(next.value)) step.accept(part, events)
      if (step.error !== null) throw step.error.cause
      for (const event of events) {
        const writable = input.emit(event)
        if (writable !== undefined) await writable
      }
      events.length = 0
    }
    signal.throwIfAborted()
    if (step.finishReason === null) throw new Error("The model's stream ended without a finish part.")
    if (step.finishReason === 'error') throw new Error('The model finished with an error.')
  } catch (error) {
    input.signal.throwIfAborted()
    throw toModelFailure(error, isPartial || step.text !== '')
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', release)
    release()
  }
}

/**
 * Tools stay listed in the last step: providers reject a conversation with calls of unknown tools, and cache the list
 * with the instructions.
 */
function buildCall(
  { instructions, tools, acceptsRestart: mayRestart, closing }: StreamStepInput,
  { transcript, isLast, maxOutputTokens, counted }: StepCall,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  const hasTools = tools.length > 0
  const isClosed = isLast && (hasTools || closing !== undefined)
  const end = isClosed ? [createClosingMessage(closing ?? lastStepInstruction)] : []
  return {
    prompt: [{ role: 'system', content: instructions }, ...transcript, ...end],
    abortSignal,
    ...(hasTools && { tools: tools.map(describeTool), toolChoice: { type: isLast ? 'none' : 'auto' } }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    providerOptions: { docent: { ...(mayRestart === true && acceptsRestart.docent), ...attachPromptCount(counted) } },
  }
}
