import type { ChatPrompt } from '../../models/chat-model.ts'

/**
 * How much of a job's conversation the model still gets. The conversation itself is kept whole in the store. Indexes
 * count its messages.
 */
export interface ConversationState {
  /** The messages before the model's first one, which are never dropped. */
  head: number
  /** Long results in messages before it are replaced by a placeholder. */
  elidedBefore: number
  /** Replaces the messages before `until`. */
  summary: { text: string; until: number } | null
  /** Reasoning before it is left out: providers may refuse it after a changed beginning. */
  reasoningFrom: number
  /** Size in tokens: as the provider last counted, and an estimate of what followed. */
  tokens: number
  /** The size from which another compaction is tried. */
  compactFrom: number
}

/** @param messages The requests that the conversation begins with. */
export function beginConversation(messages: ChatPrompt): ConversationState {
  return { head: messages.length, elidedBefore: 0, summary: null, reasoningFrom: 0, tokens: 0, compactFrom: 0 }
}

/** Fraction of the model's window, and tokens, that a conversation may take. */
const windowShareMax = 0.75
const tokensMax = 120_000

/** @param contextTokens The model's window. */
export function isCompactionDue({ tokens, compactFrom }: ConversationState, contextTokens: number): boolean {
  return tokens >= Math.max(compactFrom, Math.min(contextTokens * windowShareMax, tokensMax))
}

const bytesPerToken = 4

/** About as many tokens as a model counts in such text or JSON. */
export function approximateTokens(value: unknown): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}
