import { SettingsError } from '../config/load-settings.ts'
import type { Settings } from '../config/settings.ts'
import type { ChatModel } from './chat-model.ts'
import { createOfflineModel, offlineModelId } from './offline/offline-model.ts'

/** The address of the provider of `DOCENT_MODEL` as it was stored through the API or the dashboard. */
export interface StoredAddress {
  url: string
  /** The key that was stored for it, the only one that is ever sent there. */
  apiKey: string | undefined
}

/** The settings that say how providers are reached. Those of the environment and the configuration file are the operator's own. */
export type ProviderSettings = Pick<
  Settings,
  'model' | 'modelBaseUrl' | 'modelApiKey' | 'openaiApiKey' | 'anthropicApiKey' | 'googleApiKey'
> & {
  /** If set, it replaces `modelBaseUrl`. */
  storedAddress?: StoredAddress | undefined
}

/** The `fetch` for providers, by who chose their address. */
export interface ProviderFetches {
  configured: typeof fetch
  stored: typeof fetch
}

/** Where and with which key a provider is called. */
interface Access {
  baseURL: string
  /** Empty where the provider needs none. */
  apiKey: string
  fetch: typeof fetch
}

interface Provider {
  /** Providers of one account share their key and address. */
  account: string
  /** The provider's own variable for the key; null where a key is not required. */
  keyVariable: string | null
  readKey(settings: ProviderSettings): string | undefined
  /** Given always, because the packages read the environment themselves when it is not. Null: must be set. */
  baseUrl: string | null
  /** Loads the package of the provider, which nothing else loads, so that a start without it stays small. */
  load(access: Access, modelId: string): Promise<ChatModel>
}

type OpenAiInterface = 'responses' | 'chat'

/** One account with two interfaces. */
const openAi = (name: OpenAiInterface): Provider => ({
  account: 'openai',
  keyVariable: 'OPENAI_API_KEY',
  readKey: ({ openaiApiKey }) => openaiApiKey,
  baseUrl: 'https://api.openai.com/v1',
  async load(access, modelId) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI(access)[name](modelId)
  },
})

const providers: Readonly<Record<string, Provider>> = {
  openai: openAi('responses'),
  'openai-chat': openAi('chat'),
  anthropic: {
    account: 'anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    readKey: ({ anthropicApiKey }) => anthropicApiKey,
    baseUrl: 'https://api.anthropic.com/v1',
    async load(access, modelId) {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(access).languageModel(modelId)
    },
  },
  google: {
    account: 'google',
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    readKey: ({ googleApiKey }) => googleApiKey,
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    async load(access, modelId) {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI(access).languageModel(modelId)
    },
  },
  'openai-compatible': {
    account: 'openai-compatible',
    keyVariable: null,
    readKey: () => undefined,
    baseUrl: null,
    async load({ apiKey, ...access }, modelId) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const provider = createOpenAICompatible({
        ...access,
        name: 'openai-compatible',
        // Without it these servers do not count their tokens.
        includeUsage: true,
        ...(apiKey !== '' && { apiKey }),
      })
      return provider.languageModel(modelId)
    },
  },
}

/** The names that a model id may begin with. */
export const providerNames: readonly string[] = Object.keys(providers)

/**
 * Makes the model of one id, as its provider's package makes it.
 *
 * @param id `provider/model`; the model's own name may hold further slashes.
 * @param setting The environment variable that named it.
 * @throws {SettingsError} when the provider is not known, or its key or address is missing.
 */
export async function openProviderModel(
  { id, setting, fetches }: { id: string; setting: string; fetches: ProviderFetches },
  settings: ProviderSettings,
): Promise<ChatModel> {
  if (id === offlineModelId) return createOfflineModel()
  const { provider: name, model } = splitModelId(id)
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined
  if (provider === undefined) throw refuse(setting, describeUnknown(id))
  const loaded = await provider.load(readAccess({ id, name, provider, setting, fetches }, settings), model)
  return withName(loaded, name, model)
}

function splitModelId(id: string): { provider: string; model: string } {
  const slash = id.indexOf('/')
  return { provider: id.slice(0, slash), model: id.slice(slash + 1) }
}

function describeUnknown(id: string): string {
  const known = providerNames.map((name) => `${name}/…`)
  return `names "${id}", which no provider has: use ${known.join(', ')} or ${offlineModelId}`
}

interface Wanted {
  id: string
  name: string
  provider: Provider
  setting: string
  fetches: ProviderFetches
}

/** Key and address of `DOCENT_MODEL` go to its own provider only: another one must not see that key. */
function readAccess(wanted: Wanted, settings: ProviderSettings): Access {
  const { id, name, provider, setting, fetches } = wanted
  const mainName = splitModelId(settings.model).provider
  const main = Object.hasOwn(providers, mainName) ? providers[mainName] : undefined
  const isOfMain = main?.account === provider.account
  if (isOfMain && settings.storedAddress !== undefined) return readStoredAccess(wanted, settings.storedAddress)
  const baseURL = (isOfMain ? settings.modelBaseUrl : undefined) ?? provider.baseUrl
  const apiKey = (isOfMain ? settings.modelApiKey : undefined) ?? provider.readKey(settings)
  if (baseURL === null && !isOfMain) {
    throw refuse(setting, `names "${id}", which only works as a fallback when DOCENT_MODEL is ${name} too`)
  }
  if (baseURL === null) {
    throw refuse('DOCENT_MODEL_BASE_URL', `is missing: say where ${id} is, such as http://localhost:11434/v1`)
  }
  if (apiKey === undefined && provider.keyVariable !== null) {
    const other = isOfMain ? ' or DOCENT_MODEL_API_KEY' : ''
    throw refuse(
      provider.keyVariable,
      `is missing: ${setting} names ${id}, so set ${provider.keyVariable}${other} to its key`,
    )
  }
  return { baseURL, apiKey: apiKey ?? '', fetch: fetches.configured }
}

/** A stored address only ever gets the key stored with it: whoever may store an address must not obtain the operator's keys. */
function readStoredAccess({ id, provider, fetches }: Wanted, { url, apiKey }: StoredAddress): Access {
  if (apiKey === undefined && provider.keyVariable !== null) {
    throw refuse('modelApiKey', `is missing: store the key of ${id} for its stored address`)
  }
  return { baseURL: url, apiKey: apiKey ?? '', fetch: fetches.stored }
}

function refuse(where: string, message: string): SettingsError {
  return new SettingsError([{ where, message }])
}

/** OpenAI keeps answers of its responses API unless told not to; what readers ask is nobody else's to keep. */
const providerOptions = { openai: { store: false } }

/** Packages name a model after their own protocols; in records and prices it goes by the name that the settings use. */
function withName(model: ChatModel, provider: string, modelId: string): ChatModel {
  const isOpenAi = provider === 'openai'
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    doGenerate: (options) => model.doGenerate(isOpenAi ? { ...options, providerOptions } : options),
    doStream: (options) => model.doStream(isOpenAi ? { ...options, providerOptions } : options),
  }
}
