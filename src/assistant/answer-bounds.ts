/** What one answer may take. Beyond, the model is told to answer with what it has. */
export const answerBounds = {
  /** Calls of the model, the first included; in the last it gets no tools. */
  steps: 6,
  /** Characters that tools may return in one answer, the first search included: about 40,000 tokens of English. */
  toolChars: 160_000,
  /** Tokens of one call of the model, reasoning included. */
  outputTokens: 16_000,
  /** The whole answer. */
  timeMs: 300_000,
} as const

/** What one call of a tool may return, in characters of its longest text. */
export const toolBounds = {
  pageChars: 24_000,
  listedPages: 200,
  grepMatches: 20,
  /** Pages that one `grep` looks into; the pages that a search finds come first. */
  grepPages: 400,
  grepMs: 3_000,
} as const
