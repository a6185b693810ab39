import type { Settings } from '../../config/settings.ts'
import {
  embeddingProviderNames,
  type EmbeddingProviderName,
  findProvider,
  isLocalModel,
  modelProviders,
  type ProviderKeySetting,
  splitModelId,
} from '../../contract/model-providers.ts'
import type { EmbeddingModel } from '../embedding-model.ts'
import { boundReply } from '../calls/bounded-reply.ts'
import { fetchConfigured } from '../providers/provider-fetch.ts'
import { completeAccess, refuse, usesAccount } from '../providers/provider-access.ts'
import { providerAdapters } from '../providers/provider-adapters.ts'

/** How to reach an embedding provider. Plain data, so that it can be passed to the embedding thread. */
export type EmbeddingSettings = Pick<
  Settings,
  'embeddingModel' | 'embeddingBaseUrl' | 'embeddingApiKey' | 'model' | 'modelBaseUrl' | 'modelApiKey'
> &
  Partial<Pick<Settings, ProviderKeySetting>>

/** Only what `openEmbeddingModel` needs, without the keys of other providers. */
export function pickEmbeddingSettings(settings: EmbeddingSettings): EmbeddingSettings {
  const { embeddingModel, embeddingBaseUrl, embeddingApiKey, model, modelBaseUrl, modelApiKey } = settings
  const name = findProvider(embeddingModel ?? '', embeddingProviderNames)
  const key = name === null ? null : modelProviders[name].account.key
  const ownKey = key === null ? {} : { [key.setting]: settings[key.setting] }
  return { embeddingModel, embeddingBaseUrl, embeddingApiKey, model, modelBaseUrl, modelApiKey, ...ownKey }
}

/**
 * Opens the configured embedding model: from its folder, or through the package of its provider.
 *
 * @returns Null if none is configured.
 * @throws {SettingsError} if the folder contains none, the provider is unknown or has no embeddings, or its key or
 *   address is missing.
 */
export async function openEmbeddingModel(settings: EmbeddingSettings): Promise<EmbeddingModel | null> {
  const id = settings.embeddingModel
  if (id === undefined) return null
  if (isLocalModel(id)) {
    // Loaded on demand, like the packages of providers.
    const { openLocalModel } = await import('./local/open-local-model.ts')
    return openLocalModel(id)
  }
  const name = findProvider(id, embeddingProviderNames)
  if (name === null) throw refuse('DOCENT_EMBEDDING_MODEL', describeUnknown(id))
  const { model: modelId } = splitModelId(id)
  const boundedFetch: typeof fetch = async (target, init) => boundReply(await fetchConfigured(target, init))
  const access = { ...readAccess(id, name, settings), fetch: boundedFetch }
  const model = await providerAdapters[name].openEmbeddings(access, modelId)
  // Packages name a model after their protocol; files and the log use the name from the settings.
  return {
    specificationVersion: 'v4',
    provider: name,
    modelId,
    maxEmbeddingsPerCall: model.maxEmbeddingsPerCall,
    supportsParallelCalls: model.supportsParallelCalls,
    doEmbed: (options) => model.doEmbed(options),
  }
}

function describeUnknown(id: string): string {
  const known = embeddingProviderNames.map((name) => `${name}/…`)
  return `names "${id}", whose provider has no embeddings: use ${known.join(', ')}, local:/path/to/folder, or leave it out`
}

/**
 * Embedding settings take precedence. Without an address among them, the address and the key of `DOCENT_MODEL` apply if
 * its provider is the same; that key must not go to another address.
 */
function readAccess(id: string, name: EmbeddingProviderName, settings: EmbeddingSettings) {
  const { embeddingBaseUrl, embeddingApiKey, modelBaseUrl, modelApiKey } = settings
  const { account } = modelProviders[name]
  const followsChat = embeddingBaseUrl === undefined && usesAccount(settings, account)
  return completeAccess(
    { id, setting: 'DOCENT_EMBEDDING_MODEL', account },
    settings,
    followsChat
      ? { baseUrl: modelBaseUrl, apiKey: embeddingApiKey ?? modelApiKey }
      : { baseUrl: embeddingBaseUrl, apiKey: embeddingApiKey },
    { baseUrl: 'DOCENT_EMBEDDING_BASE_URL', apiKey: 'DOCENT_EMBEDDING_API_KEY' },
  )
}
