import type { Settings } from '../config/settings.ts'
import type { ChatModel } from './chat-model.ts'
import type { ModelLimits } from './model-attempt.ts'
import { createToolFallback } from './model-without-tools.ts'
import { offlineModelId } from './offline/offline-model.ts'
import { parsePrices } from './prices.ts'
import { createStoredAddressFetch, fetchConfigured } from './provider-fetch.ts'
import { openProviderModel, type ProviderFetches, type ProviderSettings } from './providers.ts'
import { createResilientModel, type ResilientModelDeps } from './resilient-model.ts'
import { createTimedFetch } from './timed-fetch.ts'

export type ChatModelSettings = ProviderSettings &
  Pick<
    Settings,
    | 'allowPrivateAddresses'
    | 'modelFallbacks'
    | 'rewriteModel'
    | 'modelsWithoutTools'
    | 'modelPrices'
    | 'modelRetries'
    | 'modelConnectSeconds'
    | 'modelFirstTokenSeconds'
    | 'modelSilenceSeconds'
    | 'modelCallSeconds'
  >

/**
 * Makes the model that the settings name, with its fallbacks, retries and time limits.
 *
 * The offline model alone is returned as it is: it calls nobody, so that nothing of this could happen to it.
 *
 * @throws {SettingsError} when a model is not known, or its key or address is missing.
 */
export async function createChatModel(deps: ResilientModelDeps, settings: ChatModelSettings): Promise<ChatModel> {
  const [first, ...fallbacks] = await openChatModels(deps, settings)
  if (fallbacks.length === 0 && settings.model === offlineModelId) return first
  return createResilientModel(deps, {
    models: [first, ...fallbacks],
    retriesMax: settings.modelRetries,
    prices: parsePrices(settings.modelPrices),
    limits: readLimits(settings),
  })
}

/**
 * Makes the model that rewrites follow-ups, alone and without retries, because it has two seconds; null where the
 * settings name none.
 *
 * @throws {SettingsError} as `createChatModel`.
 */
export async function createRewriteModel(
  deps: ResilientModelDeps,
  settings: ChatModelSettings,
): Promise<ChatModel | null> {
  const id = settings.rewriteModel
  if (id === undefined) return null
  const fetches = createFetches(deps, settings)
  const model = await openProviderModel({ id, setting: 'DOCENT_REWRITE_MODEL', fetches }, settings)
  if (id === offlineModelId) return model
  const prices = parsePrices(settings.modelPrices)
  return createResilientModel(deps, { models: [model], retriesMax: 0, limits: readLimits(settings), prices })
}

/**
 * Each model that the settings name by itself, the main one first, with its time limits and without retries: to find
 * out which of them works.
 *
 * @throws {SettingsError} as `createChatModel`.
 */
export async function createEachModel(deps: ResilientModelDeps, settings: ChatModelSettings): Promise<ChatModel[]> {
  const models = await openChatModels(deps, settings)
  return models.map((model) =>
    createResilientModel(deps, { models: [model], retriesMax: 0, limits: readLimits(settings) }),
  )
}

function readLimits(settings: ChatModelSettings): ModelLimits {
  return {
    firstTokenMs: settings.modelFirstTokenSeconds * 1_000,
    silenceMs: settings.modelSilenceSeconds * 1_000,
    callMs: settings.modelCallSeconds * 1_000,
  }
}

async function openChatModels(
  deps: Pick<ResilientModelDeps, 'log' | 'sleep'>,
  settings: ChatModelSettings,
): Promise<[ChatModel, ...ChatModel[]]> {
  const withoutTools = new Set(splitList(settings.modelsWithoutTools))
  const fetches = createFetches(deps, settings)
  const open = async (id: string, setting: string): Promise<ChatModel> => {
    const model = await openProviderModel({ id, setting, fetches }, settings)
    if (id === offlineModelId) return model
    const onToolsRefused = () => deps.log.warn({ model: id }, 'model-refused-tools')
    return createToolFallback({ model, hasNoTools: withoutTools.has(id), onToolsRefused })
  }
  const main = await open(settings.model, 'DOCENT_MODEL')
  const fallbacks = splitList(settings.modelFallbacks).map((id) => open(id, 'DOCENT_MODEL_FALLBACKS'))
  return [main, ...(await Promise.all(fallbacks))]
}

function createFetches(deps: Pick<ResilientModelDeps, 'sleep'>, settings: ChatModelSettings): ProviderFetches {
  const connectMs = settings.modelConnectSeconds * 1_000
  const stored = createStoredAddressFetch(settings.allowPrivateAddresses)
  return {
    configured: createTimedFetch(deps, connectMs, fetchConfigured),
    stored: createTimedFetch(deps, connectMs, stored),
  }
}

function splitList(text: string | undefined): string[] {
  return (text ?? '').split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()]))
}
