import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { estimateCall, estimatePrompt } from './estimate-tokens.ts'

/** What a provider counted of a prompt that the next one begins with. */
export interface PromptCount {
  /** `provider/model` that counted: others count differently. */
  modelId: string
  /** Messages of the prompt, instructions included. */
  messages: number
  /** Input tokens, tools included. */
  tokens: number
}

/** Notes of a call, for `estimateInput`. Not sent. */
export function attachPromptCount(count: PromptCount | undefined) {
  return count === undefined ? {} : { counted: { ...count } }
}

/**
 * An upper bound of the input tokens of a call. What the provider has counted of its beginning counts as such, because
 * the estimate of a long conversation is two to four times too high.
 *
 * @param modelId `provider/model`.
 */
export function estimateInput(options: LanguageModelV4CallOptions, modelId: string): number {
  const whole = estimateCall(options, modelId)
  const count = readCount(options)
  if (count === null || count.modelId !== modelId) return whole
  return Math.min(whole, count.tokens + estimatePrompt(options.prompt.slice(count.messages), modelId))
}

function readCount({ providerOptions }: LanguageModelV4CallOptions): PromptCount | null {
  const counted: unknown = providerOptions?.['docent']?.['counted']
  if (typeof counted !== 'object' || counted === null) return null
  return counted as PromptCount // Written by `attachPromptCount`.
}
