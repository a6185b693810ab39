import type { LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider'
import type { ModelOptions } from '../../config/settings/model-option-settings.ts'
import type { Settings } from '../../config/settings.ts'
import { findEndpoint } from '../../contract/model-providers.ts'
import type { ChatModel, ChatStreamPart } from '../chat-model.ts'
import { findLongest } from './prices.ts'
import type { ChatAdapter } from './provider-adapters.ts'

export type OptionSettings = Partial<Pick<Settings, 'modelOptions' | 'promptCaching' | 'endpoints'>>

/** The options of a model: those of its endpoint, and over them those of the longest matching beginning of its id. */
export function findModelOptions(id: string, { modelOptions = {}, endpoints = {} }: OptionSettings): ModelOptions {
  const beginning = findLongest(Object.keys(modelOptions), (start) => id.startsWith(start))
  const ofEndpoint = endpoints[findEndpoint(id) ?? '']?.options
  return { ...ofEndpoint, ...(beginning === null ? {} : modelOptions[beginning]) }
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
  adapter: Pick<ChatAdapter, 'chatOptions' | 'markCache' | 'refuseEffort'>,
  settings: OptionSettings,
  id: string,
): Pick<ChatModel, 'doGenerate' | 'doStream'> {
  const { effort, temperature } = findModelOptions(id, settings)
  const refusal = effort === undefined ? null : (adapter.refuseEffort?.(model.modelId) ?? null)
  const warnings: SharedV4Warning[] =
    refusal === null ? [] : [{ type: 'unsupported', feature: 'effort', details: refusal }]
  const chosen: Partial<LanguageModelV4CallOptions> = {
    ...(adapter.chatOptions && { providerOptions: adapter.chatOptions }),
    ...(effort !== undefined && refusal === null && { reasoning: effort }),
    ...(temperature !== undefined && { temperature }),
  }
  const complete = (options: LanguageModelV4CallOptions): LanguageModelV4CallOptions => {
    const completed = { ...options, ...chosen }
    if (settings.promptCaching === false) return completed
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
