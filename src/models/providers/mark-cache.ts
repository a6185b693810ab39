import { createHash } from 'node:crypto'
import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { ChatPrompt } from '../chat-model.ts'

/**
 * Marks what a provider may cache, on demand of the provider: the beginning that all calls share, and the newest two
 * messages that are not the model's own. The next call of a conversation has its older mark where the newer one is now,
 * so that it reads everything before it, however many parts the newest message has.
 *
 * Marks are not part of what is cached, so moving them changes nothing. Three of the four that Anthropic accepts.
 *
 * @param mark Options of a marked message.
 */
export function markMessages(
  options: LanguageModelV4CallOptions,
  mark: SharedV4ProviderOptions,
): LanguageModelV4CallOptions {
  const marked = new Set([findBeginning(options.prompt), ...findNewest(options.prompt)])
  const prompt = options.prompt.map((message, index) =>
    marked.has(index) ? { ...message, providerOptions: { ...message.providerOptions, ...mark } } : message,
  )
  return { ...options, prompt }
}

/** The last of the system messages at the beginning; tools come before them. */
function findBeginning(prompt: ChatPrompt): number {
  const end = prompt.findIndex(({ role }) => role !== 'system')
  return (end === -1 ? prompt.length : end) - 1
}

function findNewest(prompt: ChatPrompt): number[] {
  return [...prompt.keys()].filter((index) => ['user', 'tool'].includes(prompt[index]?.role ?? '')).slice(-2)
}

/**
 * Names a conversation for providers that cache by themselves: calls with the same name reach the same cache.
 *
 * @param provider Whose options have a `promptCacheKey`.
 */
export function keyConversation(options: LanguageModelV4CallOptions, provider: string): LanguageModelV4CallOptions {
  const promptCacheKey = nameConversation(options.prompt)
  const given = options.providerOptions?.[provider]
  return { ...options, providerOptions: { ...options.providerOptions, [provider]: { ...given, promptCacheKey } } }
}

/**
 * The same for servers that speak OpenAI's protocol, on demand of the settings: some refuse fields that they do not know.
 */
export function keyBody(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const given = options.providerOptions?.['openaiCompatible']
  const openaiCompatible = { ...given, prompt_cache_key: nameConversation(options.prompt) }
  return { ...options, providerOptions: { ...options.providerOptions, openaiCompatible } }
}

/** A digest of the instructions and the first message, which stay the same in a conversation. */
function nameConversation(prompt: ChatPrompt): string {
  const first = prompt.findIndex(({ role }) => role !== 'system')
  const beginning = prompt.slice(0, first + 1).map(({ role, content }) => [role, content])
  return createHash('sha256').update(JSON.stringify(beginning)).digest('base64url').slice(0, 32)
}

const cachingBedrockModels =
  /(?:^|[./])(?:anthropic\.claude-(?!v\d|instant|3-(?:haiku|sonnet|opus)|3-5-sonnet-20240620)|amazon\.nova-)/

/** Other models of Bedrock refuse calls with marks. */
export const isCachingBedrockModel = (modelId: string): boolean => cachingBedrockModels.test(modelId)
