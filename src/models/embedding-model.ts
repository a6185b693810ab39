import type { EmbeddingModelV4 } from '@ai-sdk/provider'

/** The port of models that turn texts into vectors, as provider packages implement it. */
export type EmbeddingModel = EmbeddingModelV4

/** What a text is: some models are trained to tell a question from the passage that answers it. */
export type EmbeddedKind = 'question' | 'passage'
