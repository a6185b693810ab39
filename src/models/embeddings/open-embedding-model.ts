import type { Settings } from '../../config/settings.ts'
import {
  embeddingProviderNames,
  findEndpoint,
  findProvider,
  isLocalModel,
  modelProviders,
  splitModelId,
} from '../../contract/model-providers.ts'
import type { EmbeddingModel } from '../embedding-model.ts'
import { boundReply } from '../calls/bounded-reply.ts'
import { fetchConfigured, hideSecrets } from '../providers/provider-fetch.ts'
import {
  accessEndpoint,
  type AccountSettings,
  completeAccess,
  readEndpoint,
  refuse,
  usesAccount,
} from '../providers/provider-access.ts'
import { providerAdapters } from '../providers/provider-adapters.ts'

/** How to reach an embedding provider. Plain data, so that it can be passed to the embedding thread. */
export type EmbeddingSettings = Pick<
  Settings,
  'embeddingModel' | 'embeddingBaseUrl' | 'embeddingApiKey' | 'model' | 'modelBaseUrl' | 'modelApiKey'
> &
  AccountSettings

/** Only what `openEmbeddingModel` needs, without the keys of other providers. */
export function pickEmbeddingSettings(settings: EmbeddingSettings): EmbeddingSettings {
  const { embeddingModel, embeddingBaseUrl, embeddingApiKey, model, modelBaseUrl, modelApiKey } = settings
  const chosen = { embeddingModel, embeddingBaseUrl, embeddingApiKey, model, modelBaseUrl, modelApiKey }
  return { ...chosen, ...pickAccount(embeddingModel ?? '', settings) }
}

function pickAccount(id: string, settings: EmbeddingSettings): AccountSettings {
  const endpoint = findEndpoint(id)
  if (endpoint !== null) {
    const found = settings.endpoints?.[endpoint]
    return found === undefined ? {} : { endpoints: { [endpoint]: found } }
  }
  const name = findProvider(id, embeddingProviderNames)
  if (name === null) return {}
  const { key, settings: others = [] } = modelProviders[name].account
  const names = key === null ? others : [key.setting, ...others]
  return Object.fromEntries(names.map((setting) => [setting, settings[setting]]))
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
  const { provider, model: modelId } = splitModelId(id)
  const { adapter, access } = readAccess(id, settings)
  const boundedFetch: typeof fetch = async (target, init) => boundReply(await fetchConfigured(target, init))
  const model = await adapter.openEmbeddings(hideSecrets({ ...access, fetch: boundedFetch }), modelId)
  // Packages name a model after their protocol; files and the log use the name from the settings.
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    maxEmbeddingsPerCall: model.maxEmbeddingsPerCall,
    supportsParallelCalls: model.supportsParallelCalls,
    doEmbed: (options) => model.doEmbed(options),
  }
}

const setting = 'DOCENT_EMBEDDING_MODEL'

function describeUnknown(id: string): string {
  const known = embeddingProviderNames.map((name) => `${name}/…`)
  return `names "${id}", whose provider has no embeddings: use ${known.join(', ')}, local:/path/to/folder, or leave it out`
}

/**
 * Embedding settings take precedence. Without an address among them, the address and the key of `DOCENT_MODEL` apply if
 * its provider is the same; that key must not go to another address.
 */
function readAccess(id: string, settings: EmbeddingSettings) {
  const endpoint = readEndpoint({ id, setting }, settings)
  if (endpoint !== null) return { adapter: providerAdapters['openai-compatible'], access: accessEndpoint(endpoint) }
  const name = findProvider(id, embeddingProviderNames)
  if (name === null) throw refuse(setting, describeUnknown(id))
  const { embeddingBaseUrl, embeddingApiKey, modelBaseUrl, modelApiKey } = settings
  const { account } = modelProviders[name]
  const followsChat = embeddingBaseUrl === undefined && usesAccount(settings, account)
  const access = completeAccess(
    { id, setting, account },
    settings,
    followsChat
      ? { baseUrl: modelBaseUrl, apiKey: embeddingApiKey ?? modelApiKey }
      : { baseUrl: embeddingBaseUrl, apiKey: embeddingApiKey },
    { baseUrl: 'DOCENT_EMBEDDING_BASE_URL', apiKey: 'DOCENT_EMBEDDING_API_KEY' },
  )
  return { adapter: providerAdapters[name], access }
}
