// The providers of models: the source of their settings, names, labels and lists. How they are called is in `models/providers/`.

import {
  type AccountDescription,
  azureAccount,
  bedrockAccount,
  openAiAccount,
  vertexAccount,
} from './provider-accounts.ts'

/** How long a model thinks, for the setting `modelOptions`. */
export const modelEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export const offlineModelId = 'docent/offline'

/** The wire protocol of chat models. Tests replay its recordings for every provider that speaks it. */
export type ModelProtocol =
  | 'openai-responses'
  | 'chat-completions'
  | 'anthropic-messages'
  | 'gemini'
  | 'bedrock-converse'
  | 'mistral'
  | 'cohere'

interface ProviderDescription<Setting extends string> {
  /** What is called, for the documentation. */
  label: string
  account: AccountDescription<Setting>
  protocol: ModelProtocol
  hasEmbeddings: boolean
  /** For examples and tests. */
  exampleModel: string
}

const described = {
  openai: {
    label: 'OpenAI, responses API',
    account: openAiAccount,
    protocol: 'openai-responses',
    hasEmbeddings: true,
    exampleModel: 'gpt-5',
  },
  'openai-chat': {
    label: 'OpenAI, chat completions',
    account: openAiAccount,
    protocol: 'chat-completions',
    hasEmbeddings: false,
    exampleModel: 'gpt-4.1-mini',
  },
  anthropic: {
    label: 'Anthropic (Claude)',
    account: {
      key: { setting: 'anthropicApiKey', variable: 'ANTHROPIC_API_KEY' },
      baseUrl: 'https://api.anthropic.com/v1',
    },
    protocol: 'anthropic-messages',
    hasEmbeddings: false,
    exampleModel: 'claude-sonnet-4-5',
  },
  google: {
    label: 'Google (Gemini)',
    account: {
      key: { setting: 'googleApiKey', variable: 'GOOGLE_GENERATIVE_AI_API_KEY' },
      baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    },
    protocol: 'gemini',
    hasEmbeddings: true,
    exampleModel: 'gemini-2.5-flash',
  },
  azure: {
    label: 'Azure OpenAI, responses API',
    account: azureAccount,
    protocol: 'openai-responses',
    hasEmbeddings: true,
    exampleModel: 'your-deployment',
  },
  'azure-chat': {
    label: 'Azure OpenAI, chat completions',
    account: azureAccount,
    protocol: 'chat-completions',
    hasEmbeddings: false,
    exampleModel: 'your-deployment',
  },
  'amazon-bedrock': {
    label: 'Amazon Bedrock',
    account: bedrockAccount,
    protocol: 'bedrock-converse',
    hasEmbeddings: true,
    exampleModel: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
  },
  'google-vertex': {
    label: 'Google Vertex AI (Gemini)',
    account: vertexAccount,
    protocol: 'gemini',
    hasEmbeddings: true,
    exampleModel: 'gemini-2.5-flash',
  },
  mistral: {
    label: 'Mistral',
    account: { key: { setting: 'mistralApiKey', variable: 'MISTRAL_API_KEY' }, baseUrl: 'https://api.mistral.ai/v1' },
    protocol: 'mistral',
    hasEmbeddings: true,
    exampleModel: 'mistral-medium-latest',
  },
  cohere: {
    label: 'Cohere',
    account: { key: { setting: 'cohereApiKey', variable: 'COHERE_API_KEY' }, baseUrl: 'https://api.cohere.com/v2' },
    protocol: 'cohere',
    hasEmbeddings: true,
    exampleModel: 'command-a-03-2025',
  },
  'openai-compatible': {
    label: 'Ollama, vLLM, LM Studio and gateways',
    account: { key: null, baseUrl: null },
    protocol: 'chat-completions',
    hasEmbeddings: true,
    exampleModel: 'qwen3:8b',
  },
} as const satisfies Record<string, ProviderDescription<string>>

type Described = typeof described

export type ProviderName = keyof Described
export type EmbeddingProviderName = {
  [Name in ProviderName]: Described[Name]['hasEmbeddings'] extends true ? Name : never
}[ProviderName]
/** The setting of a provider's own key. */
export type ProviderKeySetting = NonNullable<Described[ProviderName]['account']['key']>['setting']

export type ProviderAccount = AccountDescription<ProviderKeySetting>

/** In display order. */
export const modelProviders: Readonly<Record<ProviderName, ProviderDescription<ProviderKeySetting>>> = described

// `Object.keys` loses the names.
export const providerNames = Object.keys(described) as ProviderName[]

export const embeddingProviderNames = providerNames.filter(
  (name): name is EmbeddingProviderName => modelProviders[name].hasEmbeddings,
)

/**
 * @param names The providers to choose from.
 * @returns The provider of a model, or null.
 */
export function findProvider<Name extends ProviderName>(id: string, names: readonly Name[]): Name | null {
  return names.find((name) => id.startsWith(`${name}/`)) ?? null
}

/** Models of named endpoints begin with it. Names of providers have no dot. */
const endpointPrefix = 'compat.'

/** @returns The name of the endpoint in `compat.NAME/model`, or null for any other model. */
export function findEndpoint(id: string): string | null {
  return id.startsWith(endpointPrefix) ? splitModelId(id).provider.slice(endpointPrefix.length) : null
}

/** Whether an embedding model is a folder on this machine, `local:/path/to/folder`, and not a provider's. */
export const isLocalModel = (id: string): boolean => id.startsWith('local:/')

/** Splits `provider/model`; the model's own name may contain further slashes. */
export function splitModelId(id: string): { provider: string; model: string } {
  const slash = id.indexOf('/')
  return { provider: id.slice(0, slash), model: id.slice(slash + 1) }
}

/** `provider/model`, as settings, records and prices name a model. */
export function nameModel({ provider, modelId }: { provider: string; modelId: string }): string {
  return `${provider}/${modelId}`
}

/** `` `openai`, `google` ``, for descriptions. */
export function listProviders(names: readonly ProviderName[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

/** The providers of each account. */
const accounts = Map.groupBy(providerNames, (name) => modelProviders[name].account)

/** The key of each account, with the providers that use it. */
export const providerKeys = [...accounts].flatMap(([{ key }, users]) => (key === null ? [] : [{ ...key, users }]))
