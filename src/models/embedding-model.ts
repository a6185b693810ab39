import type { EmbeddingModelV4 } from '@ai-sdk/provider'

/** The port of embedding models, as provider packages implement it. A vector of zeros means that a text says nothing. */
export type EmbeddingModel = EmbeddingModelV4 & {
  /** What the folder of a local model contains, for its operator. */
  readonly description?: string
}

/** Some models embed a question differently from the passage that answers it. */
export type EmbeddedKind = 'question' | 'passage'
