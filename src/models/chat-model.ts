import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'

/**
 * The port of all chat models: the interface of the AI SDK's provider packages, so that none of them needs an adapter.
 * The built-in offline model implements it too.
 */
export type ChatModel = LanguageModelV4

/** A conversation in the format of chat models. */
export type ChatPrompt = LanguageModelV4Prompt

export type ChatStreamPart = LanguageModelV4StreamPart
