import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'

/**
 * The port that every chat model fits: the interface of the AI SDK's provider packages itself, so that none of them
 * needs an adapter, and the built-in offline model is called by the same code.
 */
export type ChatModel = LanguageModelV4

/** A conversation as a chat model takes it. */
export type ChatPrompt = LanguageModelV4Prompt

export type ChatStreamPart = LanguageModelV4StreamPart
