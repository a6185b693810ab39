/** Limits of one answer. Beyond them, the model is told to answer with what it has. */
export const answerBounds = {
  /** Model calls, including the first; the last one gets no tools. */
  steps: 6,
  /** Characters that tools may return in one answer, including the first search: about 40,000 tokens of English. */
  toolChars: 160_000,
  /** Tool calls that run in one step. */
  toolCalls: 16,
  /** Tokens of one model call, including reasoning. */
  outputTokens: 8_000,
  /** Output tokens of all calls together; the last call's share is reserved. */
  totalOutputTokens: 16_000,
  /** Input tokens of one call, by the estimate. List prices apply up to here. */
  promptTokens: 200_000,
  /** Tokens of all model calls together, including cached ones. */
  totalTokens: 400_000,
  /** US dollars of all calls together, for models with a known price. */
  costUsd: 0.5,
  /** After this time the model gets no more tools. */
  toolTimeMs: 180_000,
  /** The whole answer. */
  timeMs: 300_000,
} as const

/** Limits of one tool call, in characters of its longest text. */
export const toolBounds = {
  pageChars: 24_000,
  listedPages: 200,
  grepMatches: 20,
  /** Most pages that one `grep` reads; pages found by a search come first. */
  grepPages: 400,
  grepMs: 3_000,
} as const
