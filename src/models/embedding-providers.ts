import { SettingsError } from '../config/load-settings.ts'
import type { Settings } from '../config/settings.ts'
import { boundReply } from './bounded-reply.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import { fetchConfigured } from './provider-fetch.ts'

/** The settings that say how a provider of embeddings is reached. Plain data: handed to the thread that embeds. */
export type EmbeddingSettings = Pick<
  Settings,
  | 'embeddingModel'
  | 'embeddingBaseUrl'
  | 'embeddingApiKey'
  | 'model'
  | 'modelBaseUrl'
  | 'modelApiKey'
  | 'openaiApiKey'
  | 'googleApiKey'
>

interface Access {
  baseURL: string
  /** Empty where the provider needs none. */
  apiKey: string
  fetch: typeof fetch
}

interface EmbeddingProvider {
  /** The provider's own variable for the key; null where a key is not required. */
  keyVariable: string | null
  readKey(settings: EmbeddingSettings): string | undefined
  /** Given always, because the packages read the environment themselves when it is not. Null: must be set. */
  baseUrl: string | null
  /** Providers of chat models that share key and address with it. */
  chatProviders: readonly string[]
  load(access: Access, modelId: string): Promise<EmbeddingModel>
}

const providers: Readonly<Record<string, EmbeddingProvider>> = {
  openai: {
    keyVariable: 'OPENAI_API_KEY',
    readKey: ({ openaiApiKey }) => openaiApiKey,
    baseUrl: 'https://api.openai.com/v1',
    chatProviders: ['openai', 'openai-chat'],
    async load(access, modelId) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI(access).embeddingModel(modelId)
    },
  },
  google: {
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    readKey: ({ googleApiKey }) => googleApiKey,
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    chatProviders: ['google'],
    async load(access, modelId) {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI(access).embeddingModel(modelId)
    },
  },
  'openai-compatible': {
    keyVariable: null,
    readKey: () => undefined,
    baseUrl: null,
    chatProviders: ['openai-compatible'],
    async load({ apiKey, ...access }, modelId) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const provider = createOpenAICompatible({
        ...access,
        name: 'openai-compatible',
        ...(apiKey !== '' && { apiKey }),
      })
      return provider.embeddingModel(modelId)
    },
  },
}

/**
 * Makes the embedding model that the settings name, as its provider's package makes it.
 *
 * @returns Null when the settings name none.
 * @throws {SettingsError} when the provider has no embeddings or is not known, or its key or address is missing.
 */
export async function openEmbeddingModel(settings: EmbeddingSettings): Promise<EmbeddingModel | null> {
  const id = settings.embeddingModel
  if (id === undefined) return null
  const slash = id.indexOf('/')
  const name = id.slice(0, slash)
  const modelId = id.slice(slash + 1)
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined
  if (provider === undefined) throw refuse('DOCENT_EMBEDDING_MODEL', describeUnknown(id))
  const boundedFetch: typeof fetch = async (target, init) => boundReply(await fetchConfigured(target, init))
  const loaded = await provider.load({ ...readAccess(id, provider, settings), fetch: boundedFetch }, modelId)
  return withName(loaded, name, modelId)
}

function describeUnknown(id: string): string {
  const known = Object.keys(providers).map((name) => `${name}/…`)
  return `names "${id}", whose provider makes no embeddings: use ${known.join(', ')}, or leave it out`
}

/**
 * What is set for embeddings wins. Where it is the same provider, the address and the key of `DOCENT_MODEL` are taken
 * over, unless another address is set: that key must not go there.
 */
function readAccess(id: string, provider: EmbeddingProvider, settings: EmbeddingSettings): Omit<Access, 'fetch'> {
  const { embeddingBaseUrl, embeddingApiKey } = settings
  const chatProvider = settings.model.slice(0, settings.model.indexOf('/'))
  const followsChat = embeddingBaseUrl === undefined && provider.chatProviders.includes(chatProvider)
  const baseURL = embeddingBaseUrl ?? (followsChat ? settings.modelBaseUrl : undefined) ?? provider.baseUrl
  const apiKey =
    embeddingApiKey ?? (followsChat ? settings.modelApiKey : undefined) ?? provider.readKey(settings) ?? null
  if (baseURL === null) {
    throw refuse('DOCENT_EMBEDDING_BASE_URL', `is missing: say where ${id} is, such as http://localhost:11434/v1`)
  }
  if (apiKey === null && provider.keyVariable !== null) {
    throw refuse(
      provider.keyVariable,
      `is missing: DOCENT_EMBEDDING_MODEL names ${id}, so set ${provider.keyVariable} or DOCENT_EMBEDDING_API_KEY to its key`,
    )
  }
  return { baseURL, apiKey: apiKey ?? '' }
}

function refuse(where: string, message: string): SettingsError {
  return new SettingsError([{ where, message }])
}

/** Packages name a model after their own protocols; in files and the log it goes by the name that the settings use. */
function withName(model: EmbeddingModel, provider: string, modelId: string): EmbeddingModel {
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    maxEmbeddingsPerCall: model.maxEmbeddingsPerCall,
    supportsParallelCalls: model.supportsParallelCalls,
    doEmbed: (options) => model.doEmbed(options),
  }
}
