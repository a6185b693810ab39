import { nameModel } from '../../contract/model-providers.ts'
import { runInSpan } from '../../telemetry/work-context.ts'
import type { ChatModel, ChatPrompt } from '../chat-model.ts'
import type { ModelStep } from './model-step.ts'

export interface TracedCall {
  model: ChatModel
  maxOutputTokens?: number
  transcript: ChatPrompt
  /** Filled by the call. */
  step: ModelStep
}

/**
 * Wraps one model call in a span if there is a trace.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/ for the names of attributes.
 */
export function traceModelCall(traced: TracedCall, call: () => Promise<void>): Promise<void> {
  const { model, maxOutputTokens, transcript, step } = traced
  const { provider, modelId } = model
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': modelId,
    'gen_ai.request.max_tokens': maxOutputTokens,
  }
  return runInSpan(`chat ${modelId}`, { kind: 'client', attributes }, async (span) => {
    await call()
    if (span === null) return
    span.set({
      'gen_ai.response.model': step.notes.modelId ?? nameModel(model),
      'gen_ai.response.finish_reasons': [step.finishReason ?? 'other'],
      'gen_ai.usage.input_tokens': step.usage.inputTokens,
      'gen_ai.usage.output_tokens': step.usage.outputTokens,
      ...(span.hasContent && {
        'gen_ai.input.messages': JSON.stringify(transcript),
        'gen_ai.output.messages': step.text,
      }),
    })
  })
}
