import type { LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider'
import type { ModelOptions } from '../../config/settings/model-option-settings.ts'
import type { Settings } from '../../config/settings.ts'
import { findEndpoint, findProvider, providerNames, splitModelId } from '../../contract/model-providers.ts'
import type { ChatModel, ChatStreamPart } from '../chat-model.ts'
import { keyBody } from './mark-cache.ts'
import { findLongest } from './prices.ts'
import { type ChatAdapter, providerAdapters } from './provider-adapters.ts'

export type OptionSettings = Partial<Pick<Settings, 'modelOptions' | 'promptCaching' | 'directPieces' | 'endpoints'>>

/** The options of a model: those of its endpoint, and over them those of the longest matching beginning of its id. */
export function findModelOptions(id: string, { modelOptions = {}, endpoints = {} }: OptionSettings): ModelOptions {
  const beginning = findLongest(Object.keys(modelOptions), (start) => id.startsWith(start))
  const ofEndpoint = endpoints[findEndpoint(id) ?? '']?.options
  return { ...ofEndpoint, ...(beginning === null ? {} : modelOptions[beginning]) }
}

/** What most hosted models have; local ones may have less. */
const contextTokensDefault = 128_000

/** Most input tokens of a call. */
export function findWindow(id: string, settings: OptionSettings): number {
  const name = findProvider(id, providerNames)
  const windows = name === null ? {} : (providerAdapters[name].windows ?? {})
  const { model } = splitModelId(id)
  const listed = findLongest(Object.keys(windows), (beginning) => model.startsWith(beginning))
  const known = listed === null ? undefined : windows[listed]
  return findModelOptions(id, settings).contextTokens ?? known ?? contextTokensDefault
}

/** Reduces the output bound of a call; never raises it. */
export function boundOutput(
  options: LanguageModelV4CallOptions,
  { outputTokensMax }: ModelOptions,
): LanguageModelV4CallOptions {
  if (outputTokensMax === undefined) return options
  return { ...options, maxOutputTokens: Math.min(outputTokensMax, options.maxOutputTokens ?? Infinity) }
}

/**
 * Calls a model with the options of the settings. Options that it does not take are left out; the first part of the
 * stream warns of them, like those that its package leaves out.
 */
export function applyOptions(
  model: ChatModel,
  adapter: Pick<ChatAdapter, 'adaptPrompt' | 'chatOptions' | 'markCache' | 'refuseEffort'>,
  settings: OptionSettings,
  id: string,
): Pick<ChatModel, 'doGenerate' | 'doStream'> {
  const { effort, temperature, promptCacheKey } = findModelOptions(id, settings)
  const refusal = effort === undefined ? null : (adapter.refuseEffort?.(model.modelId) ?? null)
  const warnings: SharedV4Warning[] =
    refusal === null ? [] : [{ type: 'unsupported', feature: 'effort', details: refusal }]
  const chosen: Partial<LanguageModelV4CallOptions> = {
    ...(adapter.chatOptions && { providerOptions: adapter.chatOptions }),
    ...(effort !== undefined && refusal === null && { reasoning: effort }),
    ...(temperature !== undefined && { temperature }),
  }
  const complete = (options: LanguageModelV4CallOptions): LanguageModelV4CallOptions => {
    const prompt = adapter.adaptPrompt?.(options.prompt) ?? options.prompt
    const completed = { ...options, ...chosen, prompt }
    if (settings.promptCaching === false) return completed
    if (promptCacheKey === true) return keyBody(completed)
    return adapter.markCache?.(completed, model.modelId) ?? completed
  }
  return {
    doGenerate: (options) => model.doGenerate(complete(options)),
    async doStream(options) {
      const { stream, ...opened } = await model.doStream(complete(options))
      return { ...opened, stream: warnings.length === 0 ? stream : stream.pipeThrough(new Warning(warnings)) }
    },
  }
}

class Warning extends TransformStream<ChatStreamPart, ChatStreamPart> {
  constructor(warnings: readonly SharedV4Warning[]) {
    super({
      transform(part, controller) {
        const warned = part.type === 'stream-start' ? { ...part, warnings: [...warnings, ...part.warnings] } : part
        controller.enqueue(warned)
      },
    })
  }
}
