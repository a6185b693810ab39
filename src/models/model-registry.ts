import { listLocalServers } from './find-local-models.ts'
import type { Settings } from '../config/settings.ts'
import { billModel, createFreeModel } from './calls/billed-model.ts'
import type { BilledModel } from './calls/model-account.ts'
import type { ModelLimits } from './calls/model-attempt.ts'
import { createImageFallback } from './calls/model-without-images.ts'
import { createToolFallback } from './calls/model-without-tools.ts'
import { offlineModelId } from '../contract/model-providers.ts'
import { parsePrices } from './providers/prices.ts'
import { createStoredAddressFetch, fetchConfigured } from './providers/provider-fetch.ts'
import { findModelOptions, findWindow, type OptionSettings } from './providers/call-options.ts'
import { openProviderModel } from './providers/open-provider-model.ts'
import type { ProviderFetches, ProviderSettings } from './providers/provider-access.ts'
import type { Patience } from './calls/retry-delay.ts'
import { createResilientModel, type ResilientModelDeps } from './calls/resilient-model.ts'
import { createTimedFetch } from './calls/timed-fetch.ts'

export type ChatModelSettings = ProviderSettings &
  OptionSettings &
  Pick<
    Settings,
    | 'allowPrivateAddresses'
    | 'findLocalModels'
    | 'databaseUrl'
    | 'modelFallbacks'
    | 'rewriteModel'
    | 'modelsWithoutTools'
    | 'modelPrices'
    | 'modelRetries'
    | 'modelConnectSeconds'
    | 'modelFirstTokenSeconds'
    | 'modelSilenceSeconds'
    | 'modelCallSeconds'
  > & { patience?: Patience }

/**
 * Creates the configured model, with its fallbacks, retries and time limits. Each call is billed individually.
 *
 * @throws {SettingsError} if a model is unknown, or its key or address is missing.
 */
export async function createChatModel(deps: ResilientModelDeps, settings: ChatModelSettings): Promise<BilledModel> {
  const [first, ...fallbacks] = await openChatModels(deps, settings)
  // It makes no requests, so it needs neither retries nor time limits.
  if (fallbacks.length === 0 && settings.model === offlineModelId) return first
  return makeResilient(deps, settings, [first, ...fallbacks])
}

/**
 * Creates the model that rewrites follow-ups, without fallbacks and retries, because it has two seconds; null if none
 * is configured.
 *
 * @throws {SettingsError} as `createChatModel`.
 */
export async function createRewriteModel(
  deps: ResilientModelDeps,
  settings: ChatModelSettings,
): Promise<BilledModel | null> {
  const id = settings.rewriteModel
  if (id === undefined) return null
  const fetches = createFetches(deps, settings)
  const model = await openBilled(deps, settings, { id, setting: 'DOCENT_REWRITE_MODEL', fetches })
  return id === offlineModelId ? model : makeResilient(deps, { ...settings, modelRetries: 0 }, [model])
}

/**
 * Creates each configured model, the main one first, with its time limits and without retries, to find out which of
 * them work.
 *
 * @throws {SettingsError} as `createChatModel`.
 */
export async function createEachModel(deps: ResilientModelDeps, settings: ChatModelSettings): Promise<BilledModel[]> {
  const models = await openChatModels(deps, settings)
  return models.map((model) => makeResilient(deps, { ...settings, modelRetries: 0 }, [model]))
}

/**
 * Creates one model alone, without fallbacks, retries and a substitute for tools, to find out what it can do. The
 * address and key of `DOCENT_MODEL` are used only if its provider is the same.
 *
 * @throws {SettingsError} as `createChatModel`.
 */
export async function createModelAlone(
  deps: ResilientModelDeps,
  settings: ChatModelSettings,
  id: string,
): Promise<BilledModel> {
  const fetches = createFetches(deps, settings)
  const model = await openBilled(deps, settings, { id, setting: 'DOCENT_MODEL', fetches })
  return id === offlineModelId ? model : makeResilient(deps, { ...settings, modelRetries: 0 }, [model])
}

function makeResilient(
  deps: ResilientModelDeps,
  settings: ChatModelSettings,
  models: readonly [BilledModel, ...BilledModel[]],
): BilledModel {
  const [{ provider, modelId }] = models
  const input = {
    retriesMax: settings.modelRetries,
    limits: readLimits(settings),
    patience: settings.patience ?? 'answering',
  }
  return {
    provider,
    modelId,
    // A fallback has to be able to take over.
    contextTokens: Math.min(...models.map(({ contextTokens }) => contextTokens)),
    billTo(account) {
      const [first, ...others] = models
      const billed = [first.billTo(account), ...others.map((model) => model.billTo(account))] as const
      return createResilientModel(deps, { ...input, models: billed })
    },
  }
}

function readLimits(settings: ChatModelSettings): ModelLimits {
  return {
    firstTokenMs: settings.modelFirstTokenSeconds * 1_000,
    silenceMs: settings.modelSilenceSeconds * 1_000,
    callMs: settings.modelCallSeconds * 1_000,
  }
}

async function openChatModels(
  deps: ResilientModelDeps,
  settings: ChatModelSettings,
): Promise<[BilledModel, ...BilledModel[]]> {
  const withoutTools = new Set(splitList(settings.modelsWithoutTools))
  const fetches = createFetches(deps, settings)
  const open = async (id: string, setting: string): Promise<BilledModel> => {
    const model = await openBilled(deps, settings, { id, setting, fetches })
    if (id === offlineModelId) return model
    const onToolsRefused = () => deps.log.warn({ model: id }, 'model-refused-tools')
    const support = { hasNoTools: withoutTools.has(id) }
    const billTo: BilledModel['billTo'] = (account) =>
      createImageFallback(createToolFallback({ model: model.billTo(account), support, onToolsRefused }))
    return { ...model, billTo }
  }
  const main = await open(settings.model, 'DOCENT_MODEL')
  const fallbacks = listFallbacks(settings).map((id) => open(id, 'DOCENT_MODEL_FALLBACKS'))
  return [main, ...(await Promise.all(fallbacks))]
}

function createFetches(deps: Pick<ResilientModelDeps, 'sleep' | 'pace'>, settings: ChatModelSettings): ProviderFetches {
  const connectMs = settings.modelConnectSeconds * 1_000
  const stored = createStoredAddressFetch(settings.allowPrivateAddresses, listLocalServers(settings))
  return {
    configured: createTimedFetch(deps, connectMs, fetchConfigured),
    stored: createTimedFetch(deps, connectMs, stored),
  }
}

async function openBilled(
  deps: ResilientModelDeps,
  settings: ChatModelSettings,
  named: { id: string; setting: string; fetches: ProviderFetches },
): Promise<BilledModel> {
  const model = await openProviderModel(named, settings)
  if (named.id === offlineModelId) return createFreeModel(model)
  const { outputTokensMax } = findModelOptions(named.id, settings)
  const contextTokens = findWindow(named.id, settings)
  return billModel({ ...deps, prices: parsePrices(settings.modelPrices), outputTokensMax, contextTokens }, model)
}

/** Ids of the fallback models, in order. */
export function listFallbacks({ modelFallbacks }: Pick<ChatModelSettings, 'modelFallbacks'>): string[] {
  return splitList(modelFallbacks)
}

function splitList(text: string | undefined): string[] {
  return (text ?? '').split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()]))
}
