import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { EmbeddingProviderName, ProviderName } from '../../contract/model-providers.ts'
import type { AccountValues } from '../../contract/provider-accounts.ts'
import type { ChatModel, ChatPrompt } from '../chat-model.ts'
import type { EmbeddingModel } from '../embedding-model.ts'
import {
  anthropicPieces,
  chatPieces,
  geminiPieces,
  type PieceProtocol,
  responsesPieces,
} from '../pieces/piece-protocols.ts'
import { readGoogleCredentials } from './google-credentials.ts'
import { isCachingBedrockModel, keyConversation, markMessages } from './mark-cache.ts'

/** The address and key for calling a provider. */
export interface ProviderAccess {
  baseURL: string
  /** Empty if the provider needs none. */
  apiKey: string
  /** Further headers of a named endpoint. */
  headers?: Readonly<Record<string, string>>
  /** Other settings of the provider's account, some of them secret. */
  account: AccountValues
  fetch: typeof fetch
}

/** US dollars per million tokens. */
export interface TokenPrice {
  input: number
  output: number
  /** Input that the provider had cached; defaults to `input`. */
  cachedInput?: number
  /** Input that the provider added to its cache; defaults to `input`. */
  cacheWrite?: number
}

export interface ChatAdapter {
  /** Loads the provider's package on demand, so that a start without it stays small. */
  openChat(access: ProviderAccess, modelId: string): Promise<ChatModel>
  /** Sent with every call of a chat model. */
  chatOptions?: SharedV4ProviderOptions
  /** Asks the provider to cache the beginning of the prompt. */
  markCache?(options: LanguageModelV4CallOptions, modelId: string): LanguageModelV4CallOptions
  /** The price of input written to a cache, by that of other input, where neither list nor setting names it. */
  cacheWriteFactor?: number
  /** A sentence if a model takes no effort, or its package would exceed the output bound for it; else null. */
  refuseEffort?(modelId: string): string | null
  /**
   * List prices of the standard tier, for prompts of up to 200,000 tokens, by model. `DOCENT_MODEL_PRICES` overrides
   * them.
   */
  prices: Readonly<Record<string, TokenPrice>>
  /** Most input tokens of a call, by the beginning of the model's name. `contextTokens` of the settings overrides them. */
  windows?: Readonly<Record<string, number>>
  /** Where text is read from the provider's events without its package. */
  pieces?: PieceProtocol
  /** The prompt as the provider accepts it. */
  adaptPrompt?(prompt: ChatPrompt): ChatPrompt
}

interface EmbeddingAdapter {
  /** Loads the package like `openChat`. */
  openEmbeddings(access: ProviderAccess, modelId: string): Promise<EmbeddingModel>
}

type ProviderAdapters = {
  readonly [Name in ProviderName]: ChatAdapter & (Name extends EmbeddingProviderName ? EmbeddingAdapter : unknown)
}

const openAiPrices: ChatAdapter['prices'] = {
  'gpt-5.1': { input: 1.25, output: 10, cachedInput: 0.125 },
  'gpt-5': { input: 1.25, output: 10, cachedInput: 0.125 },
  'gpt-5-mini': { input: 0.25, output: 2, cachedInput: 0.025 },
  'gpt-5-nano': { input: 0.05, output: 0.4, cachedInput: 0.005 },
  'gpt-4.1': { input: 2, output: 8, cachedInput: 0.5 },
  'gpt-4.1-mini': { input: 0.4, output: 1.6, cachedInput: 0.1 },
  'gpt-4.1-nano': { input: 0.1, output: 0.4, cachedInput: 0.025 },
  'gpt-4o': { input: 2.5, output: 10, cachedInput: 1.25 },
  'gpt-4o-mini': { input: 0.15, output: 0.6, cachedInput: 0.075 },
  'text-embedding-3-small': { input: 0.02, output: 0 },
  'text-embedding-3-large': { input: 0.13, output: 0 },
  'text-embedding-ada-002': { input: 0.1, output: 0 },
}

const claudeWindows = { claude: 200_000 }
const geminiWindows = { gemini: 1_000_000 }

/** Mistral refuses a user's message directly after the result of a tool. */
function separateResults(prompt: ChatPrompt): ChatPrompt {
  return prompt.flatMap((message, index): ChatPrompt => {
    const isAfterResult = message.role === 'user' && prompt[index - 1]?.role === 'tool'
    return isAfterResult ? [{ role: 'assistant', content: [{ type: 'text', text: 'Go on.' }] }, message] : [message]
  })
}

/** Claude models that decide themselves how long they think; older ones get a budget on top of the output bound. */
const olderClaude = /claude-(?:v?\d|instant|(?:opus|sonnet|haiku)-4(?!-[6-9]))/

function refuseOlderClaude(modelId: string): string | null {
  if (!olderClaude.test(modelId)) return null
  return `${modelId} takes no effort: use Claude Opus 4.6, Sonnet 4.6 or a newer model.`
}

function refuseBedrockEffort(modelId: string): string | null {
  if (/(?:^|[./])openai\./.test(modelId)) return null
  if (/claude/.test(modelId)) return refuseOlderClaude(modelId)
  return `${modelId} takes no effort: on Bedrock, only newer Claude and OpenAI models do.`
}

/** One account with two interfaces. */
const openAiChat = (protocol: 'responses' | 'chat'): ChatAdapter => ({
  async openChat(access, modelId) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI(access)[protocol](modelId)
  },
  pieces: protocol === 'chat' ? chatPieces : responsesPieces,
  markCache: (options) => keyConversation(options, 'openai'),
  refuseEffort: (modelId) =>
    /^(?:gpt-[34]|chatgpt-)/.test(modelId) ? `${modelId} takes no effort: it does not think.` : null,
  prices: openAiPrices,
  windows: { 'gpt-5': 272_000, 'gpt-4.1': 1_000_000, o: 200_000 },
})

/** Resources without the v1 API have an address for each deployment, and a dated version. */
async function createAzureProvider({ account: { azureApiVersion }, ...access }: ProviderAccess) {
  const { createAzure } = await import('@ai-sdk/azure')
  const dated = azureApiVersion === undefined ? {} : { apiVersion: azureApiVersion, useDeploymentBasedUrls: true }
  return createAzure({ ...access, ...dated })
}

/** With an empty key, calls are signed with the access key. */
async function createBedrock({ baseURL, apiKey, account, fetch }: ProviderAccess) {
  const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
  const { awsRegion, awsAccessKeyId, awsSecretAccessKey, awsSessionToken } = account
  return createAmazonBedrock({
    baseURL,
    apiKey,
    fetch,
    region: awsRegion ?? '',
    accessKeyId: awsAccessKeyId ?? '',
    secretAccessKey: awsSecretAccessKey ?? '',
    ...(awsSessionToken !== undefined && { sessionToken: awsSessionToken }),
  })
}

async function createVertex({ baseURL, apiKey, account, fetch }: ProviderAccess) {
  const { createGoogleVertex } = await import('@ai-sdk/google-vertex')
  const googleAuthOptions = apiKey === '' ? await readGoogleCredentials(account.googleCredentialsFile, fetch) : {}
  return createGoogleVertex({ baseURL, apiKey, fetch, googleAuthOptions })
}

async function createMistralProvider(access: ProviderAccess) {
  const { createMistral } = await import('@ai-sdk/mistral')
  return createMistral(access)
}

async function createCohereProvider(access: ProviderAccess) {
  const { createCohere } = await import('@ai-sdk/cohere')
  return createCohere(access)
}

/** These servers report usage only on request. */
async function createCompatible({ apiKey, ...access }: ProviderAccess) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    ...access,
    name: 'openai-compatible',
    includeUsage: true,
    ...(apiKey !== '' && { apiKey }),
  })
}

export const providerAdapters: ProviderAdapters = {
  openai: {
    ...openAiChat('responses'),
    // OpenAI stores answers of its responses API unless told not to; no one else should store what readers ask.
    chatOptions: { openai: { store: false } },
    async openEmbeddings(access, modelId) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI(access).embeddingModel(modelId)
    },
  },
  'openai-chat': openAiChat('chat'),
  anthropic: {
    async openChat(access, modelId) {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(access).languageModel(modelId)
    },
    pieces: anthropicPieces,
    markCache: (options) => markMessages(options, { anthropic: { cacheControl: { type: 'ephemeral' } } }),
    cacheWriteFactor: 1.25,
    refuseEffort: refuseOlderClaude,
    // Pings tell a model that thinks from a connection that is gone.
    chatOptions: { anthropic: { includePings: true } },
    windows: claudeWindows,
    prices: {
      'claude-opus-4-5': { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25 },
      'claude-sonnet-4-5': { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
      'claude-sonnet-4': { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
      'claude-haiku-4-5': { input: 1, output: 5, cachedInput: 0.1, cacheWrite: 1.25 },
    },
  },
  google: {
    async openChat(access, modelId) {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI(access).languageModel(modelId)
    },
    async openEmbeddings(access, modelId) {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI(access).embeddingModel(modelId)
    },
    pieces: geminiPieces,
    windows: geminiWindows,
    prices: {
      'gemini-3-pro': { input: 2, output: 12, cachedInput: 0.2 },
      'gemini-2.5-pro': { input: 1.25, output: 10, cachedInput: 0.125 },
      'gemini-2.5-flash': { input: 0.3, output: 2.5, cachedInput: 0.03 },
      'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cachedInput: 0.01 },
      'gemini-embedding-001': { input: 0.15, output: 0 },
    },
  },
  azure: {
    openChat: async (access, modelId) => (await createAzureProvider(access)).responses(modelId),
    pieces: responsesPieces,
    openEmbeddings: async (access, modelId) => (await createAzureProvider(access)).embeddingModel(modelId),
    chatOptions: { azure: { store: false } },
    markCache: (options) => keyConversation(options, 'azure'),
    prices: {},
  },
  'azure-chat': {
    openChat: async (access, modelId) => (await createAzureProvider(access)).chat(modelId),
    pieces: chatPieces,
    markCache: (options) => keyConversation(options, 'azure'),
    prices: {},
  },
  'amazon-bedrock': {
    openChat: async (access, modelId) => (await createBedrock(access)).languageModel(modelId),
    openEmbeddings: async (access, modelId) => (await createBedrock(access)).embeddingModel(modelId),
    markCache: (options, modelId) =>
      isCachingBedrockModel(modelId)
        ? markMessages(options, { amazonBedrock: { cachePoint: { type: 'default' } } })
        : options,
    cacheWriteFactor: 1.25,
    refuseEffort: refuseBedrockEffort,
    windows: Object.fromEntries(
      ['', 'eu.', 'us.', 'apac.', 'global.'].map((region) => [`${region}anthropic.claude`, claudeWindows.claude]),
    ),
    prices: {},
  },
  'google-vertex': {
    openChat: async (access, modelId) => (await createVertex(access)).languageModel(modelId),
    openEmbeddings: async (access, modelId) => (await createVertex(access)).embeddingModel(modelId),
    pieces: geminiPieces,
    windows: geminiWindows,
    prices: {},
  },
  mistral: {
    openChat: async (access, modelId) => (await createMistralProvider(access)).languageModel(modelId),
    openEmbeddings: async (access, modelId) => (await createMistralProvider(access)).embeddingModel(modelId),
    markCache: (options) => keyConversation(options, 'mistral'),
    adaptPrompt: separateResults,
    prices: {},
  },
  cohere: {
    openChat: async (access, modelId) => (await createCohereProvider(access)).languageModel(modelId),
    openEmbeddings: async (access, modelId) => (await createCohereProvider(access)).embeddingModel(modelId),
    refuseEffort: (modelId) =>
      /reasoning/.test(modelId) ? null : `${modelId} takes no effort: only reasoning models of Cohere do.`,
    prices: {},
  },
  'openai-compatible': {
    openChat: async (access, modelId) => (await createCompatible(access)).languageModel(modelId),
    pieces: chatPieces,
    openEmbeddings: async (access, modelId) => (await createCompatible(access)).embeddingModel(modelId),
    prices: {},
  },
}
