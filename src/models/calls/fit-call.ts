import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { estimateInput } from './counted-prompt.ts'
import { cutPrompt } from './cut-prompt.ts'
import { estimateCall } from './estimate-tokens.ts'
import type { CallBounds, CallCost } from './model-account.ts'
import type { TokenPrice } from '../providers/provider-adapters.ts'

export interface FittedCall {
  options: LanguageModelV4CallOptions
  inputTokens: number
  outputTokens: number
}

/** Output tokens reserved for a call without a bound. */
const outputTokensDefault = 32_000
/** No model can answer in fewer tokens. */
const outputTokensMin = 256
const millionTokens = 1_000_000

/**
 * Makes a call fit its bounds: the output may take at most half of the money, and the prompt is cut to the rest.
 *
 * @param modelId `provider/model`.
 * @returns Null if it does not fit.
 */
export function fitCall(
  options: LanguageModelV4CallOptions,
  bounds: CallBounds,
  price: TokenPrice | null,
  modelId = '',
): FittedCall | null {
  const wanted = options.maxOutputTokens ?? outputTokensDefault
  const outputTokens = Math.min(wanted, affordableOutput(bounds, price))
  if (outputTokens < Math.min(wanted, outputTokensMin)) return null
  const bounded = outputTokens < wanted ? { ...options, maxOutputTokens: outputTokens } : options
  const inputMax = Math.min(bounds.promptTokens, affordableInput(bounds, price, outputTokens))
  // A prompt is cut by its own estimate.
  const inputTokens = bounds.isPromptCut ? estimateCall(bounded, modelId) : estimateInput(bounded, modelId)
  if (inputTokens <= inputMax) return { options: bounded, inputTokens, outputTokens }
  const prompt = bounds.isPromptCut ? cutPrompt(bounded.prompt, inputTokens - inputMax) : null
  if (prompt === null) return null
  const cut = { ...bounded, prompt }
  return { options: cut, inputTokens: estimateCall(cut, modelId), outputTokens }
}

/** @returns The maximum cost of a call with these tokens. Writing to a provider's cache may cost more than input. */
export function priceTokens(
  price: TokenPrice | null,
  { inputTokens, outputTokens }: Pick<FittedCall, 'inputTokens' | 'outputTokens'>,
): CallCost {
  const tokens = inputTokens + outputTokens
  if (price === null) return { tokens, usd: null }
  return { tokens, usd: (inputTokens * inputPrice(price) + outputTokens * price.output) / millionTokens }
}

function inputPrice({ input, cachedInput = 0, cacheWrite = 0 }: TokenPrice): number {
  return Math.max(input, cachedInput, cacheWrite)
}

function affordableOutput({ usd, tokens }: CallBounds, price: TokenPrice | null): number {
  if (price === null) return Math.floor(tokens / 2)
  return price.output === 0 ? Infinity : Math.floor((usd / 2 / price.output) * millionTokens)
}

function affordableInput({ usd, tokens }: CallBounds, price: TokenPrice | null, outputTokens: number): number {
  if (price === null) return tokens - outputTokens
  const perToken = inputPrice(price)
  return perToken === 0 ? Infinity : Math.floor((usd * millionTokens - outputTokens * price.output) / perToken)
}
