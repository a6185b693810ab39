/** Limits of one answer. Beyond them, the model is told to answer with what it has. */
export const answerBounds = {
  /** Calls of the model, the first included; in the last it gets no tools. */
  steps: 6,
  /** Characters that tools may return in one answer, the first search included: about 40,000 tokens of English. */
  toolChars: 160_000,
  /** Tool calls that run in one step. */
  toolCalls: 16,
  /** Tokens of one call of the model, reasoning included. */
  outputTokens: 8_000,
  /** Output tokens of all calls together; calls before the last share what the last does not need. */
  totalOutputTokens: 16_000,
  /** Input tokens of one call, by the estimate. List prices hold up to here. */
  promptTokens: 200_000,
  /** Tokens of all calls of the model together, read ones included. */
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
  /** Pages that one `grep` looks into; the pages that a search finds come first. */
  grepPages: 400,
  grepMs: 3_000,
} as const
