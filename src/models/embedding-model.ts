import type { EmbeddingModelV4 } from '@ai-sdk/provider'

/** The port of embedding models, as provider packages implement it. */
export type EmbeddingModel = EmbeddingModelV4

/** Some models embed a question differently from the passage that answers it. */
export type EmbeddedKind = 'question' | 'passage'
